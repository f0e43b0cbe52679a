// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static io.albm.core.proc.ProcText.label;

import io.albm.core.proc.ProcText;
import java.io.IOException;

/**
 * {@code CurrEstab} of {@code /proc/net/snmp}: connections in ESTABLISHED or CLOSE_WAIT, of IPv4 and IPv6 together, as
 * the paper counts them. The kernel keeps this number, so that it costs the same with 15 000 connections as with none;
 * {@code /proc/net/tcp} would list them all, and leave out a JVM's, which are IPv6 sockets.
 */
final class EstablishedConnections implements CounterSource {
    private static final byte[] TCP = label("Tcp:");
    private static final byte[] CURR_ESTAB = label("CurrEstab");

    private final SampledFile snmp;

    private EstablishedConnections(SampledFile snmp) {
        this.snmp = snmp;
    }

    static EstablishedConnections open(KernelFiles files) throws IOException {
        return new EstablishedConnections(files.proc("net/snmp"));
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        return snmp.require(established(snmp.at(nowNanos)), "Tcp CurrEstab");
    }

    /** A line of names, then a line of their values. */
    static long established(ProcText text) {
        int names = text.afterLabel(TCP, 0);
        int column = text.fieldIndex(names, CURR_ESTAB);
        int values = text.afterLabel(TCP, text.nextLine(names));
        return column == ProcText.ABSENT ? ProcText.ABSENT : text.numberAt(text.field(values, column));
    }
}
