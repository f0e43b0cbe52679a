// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static io.albm.core.proc.ProcText.label;

import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.core.proc.ProcFile;
import io.albm.core.proc.ProcText;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TCP segments of this host, by {@code OutSegs} and {@code RetransSegs} of {@code /proc/net/snmp}. Only the sender knows what it
 * sent again, and reading it sends nothing. For one thread; a host that does not say is taken for one that loses nothing.
 */
public final class HostSegments implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HostSegments.class);
    private static final Path SNMP = Path.of("/proc/net/snmp");
    private static final byte[] TCP = label("Tcp:");
    private static final byte[] SENT = label("OutSegs");
    private static final byte[] RETRANSMITTED = label("RetransSegs");

    private @Nullable ProcFile snmp;

    private HostSegments(@Nullable ProcFile snmp) {
        this.snmp = snmp;
    }

    static HostSegments open() {
        try {
            return new HostSegments(ProcFile.open(SNMP));
        } catch (IOException e) {
            log.warn("retransmitted segments are not counted: {}", e.getMessage());
            return new HostSegments(null);
        }
    }

    TcpSegments now() {
        try {
            return snmp == null ? TcpSegments.NONE : parse(snmp.read());
        } catch (IOException e) {
            log.warn("retransmitted segments are not counted any more: {}", e.getMessage());
            close();
            return TcpSegments.NONE;
        }
    }

    /** The text of {@code /proc/net/snmp}: a line of names, then a line of their values. What is not there counts as 0. */
    public static TcpSegments parse(ProcText text) {
        int names = text.afterLabel(TCP, 0);
        int values = text.afterLabel(TCP, text.nextLine(names));
        return new TcpSegments(number(text, names, values, SENT), number(text, names, values, RETRANSMITTED));
    }

    private static long number(ProcText text, int names, int values, byte[] name) {
        int column = text.fieldIndex(names, name);
        return column == ProcText.ABSENT ? 0 : Math.max(0, text.numberAt(text.field(values, column)));
    }

    @Override
    public void close() {
        try {
            if (snmp != null) {
                snmp.close();
            }
        } catch (IOException e) {
            log.debug("closing {}: {}", SNMP, e.getMessage());
        } finally {
            snmp = null;
        }
    }
}
