// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static io.albm.core.proc.ProcText.label;

import io.albm.core.cgroup.ContainerGroups;
import io.albm.core.cgroup.CpuGroup;
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

    private final SampledFile stat;
    private long lastTotal;
    private long lastIdle;
    private double busy;

    private CpuBusy(SampledFile stat) {
        this.stat = stat;
    }

    /** The host's, or the container's of its own limit if that is higher: the tightest, as for memory. */
    static CounterSource open(KernelFiles files) throws IOException {
        CpuBusy host = new CpuBusy(files.procHead("stat", FIRST_LINE));
        ContainerGroups container = files.host().container().orElse(null);
        if (container == null || !isLimited(container)) {
            return host;
        }
        CounterSource limited = files.keep(ContainerSource.open(() -> limits(container), ContainerCpuBusy::new));
        return nowNanos -> Math.max(host.sample(nowNanos), limited.sample(nowNanos));
    }

    private static boolean isLimited(ContainerGroups container) throws IOException {
        try (CpuGroup group = CpuGroup.open(container)) {
            return !group.levels().isEmpty();
        }
    }

    /** A container that can have limits is not there while it has none: it would seem to be idle. */
    private static CpuGroup limits(ContainerGroups container) throws IOException {
        CpuGroup group = CpuGroup.open(container);
        if (group.levels().isEmpty()) {
            throw new IOException(container.quota().orElseThrow() + " is no CPU control group");
        }
        return group;
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        ProcText text = stat.at(nowNanos);
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
}
