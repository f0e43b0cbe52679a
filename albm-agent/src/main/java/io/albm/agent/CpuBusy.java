// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static io.albm.core.proc.ProcText.label;

import io.albm.core.proc.ProcFile;
import io.albm.core.proc.ProcText;
import java.io.IOException;

/**
 * The busy share of all processors since the last sample: everything in {@code /proc/stat}'s first line that is neither
 * idle nor waiting for a disk. Time stolen by a hypervisor counts as busy, because the host cannot use it; guest time is
 * already in user time.
 */
final class CpuBusy implements CounterSource {
    private static final byte[] ALL_PROCESSORS = label("cpu ");
    private static final int FIRST_LINE = 256;
    private static final int IDLE = 3;
    private static final int IOWAIT = 4;
    private static final int FIELDS = 8;

    private final ProcFile stat;
    private long lastTotal;
    private long lastIdle;
    private double busy;

    private CpuBusy(ProcFile stat) {
        this.stat = stat;
    }

    static CpuBusy open(HostFiles files) throws IOException {
        return new CpuBusy(ProcFile.head(files.proc().resolve("stat"), FIRST_LINE));
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        ProcText text = stat.read();
        long total = 0;
        long idle = 0;
        int at = text.afterLabel(ALL_PROCESSORS, 0);
        for (int field = 0; field < FIELDS; field++) {
            at = text.field(at, field == 0 ? 0 : 1);
            long ticks = stat.require(text.numberAt(at), "times of all processors");
            total += ticks;
            idle += field == IDLE || field == IOWAIT ? ticks : 0;
        }
        advance(total, idle);
        return busy;
    }

    /** Between two ticks nothing is known, and idle time may even step back: the last value stands. */
    private void advance(long total, long idle) {
        long passed = total - lastTotal;
        if (passed > 0) {
            boolean first = lastTotal == 0;
            busy = first ? 0 : Math.clamp(1 - (idle - lastIdle) / (double) passed, 0.0, 1.0);
            lastTotal = total;
            lastIdle = idle;
        }
    }

    @Override
    public void close() throws IOException {
        stat.close();
    }
}
