// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static io.albm.core.proc.ProcText.label;

import io.albm.core.proc.Rate;
import java.io.IOException;

/**
 * How often something that {@code /proc/vmstat} counts happens in a second.
 *
 * <p>For page reads that is {@code pgmajfault}: page faults that had to wait for the disk. The paper counts disk reads
 * that resolve hard faults, whatever their size; {@code pgpgin} would count every kilobyte read by anyone, read-ahead
 * and plain file reads included.
 */
final class EventRate implements CounterSource {
    private final SampledFile vmstat;
    private final String event;
    private final byte[] label;
    private final Rate rate = new Rate();

    private EventRate(SampledFile vmstat, String event) {
        this.vmstat = vmstat;
        this.event = event;
        this.label = label(event + " ");
    }

    static EventRate open(KernelFiles files, String event) throws IOException {
        return new EventRate(files.proc("vmstat"), event);
    }

    /** Absent where the kernel does not count it: swapping may be compiled out. */
    static CounterSource openIfCounted(KernelFiles files, String event) throws IOException {
        EventRate source = open(files, event);
        return source.vmstat.now().afterLabel(source.label, 0) < 0 ? NONE : source;
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        return rate.update(nowNanos, vmstat.require(vmstat.at(nowNanos).numberAfter(label), event));
    }
}
