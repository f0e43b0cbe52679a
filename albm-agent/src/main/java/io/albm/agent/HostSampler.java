// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static java.util.Objects.requireNonNull;

import io.albm.core.node.CounterSample;
import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Samples every {@link HostCounter} of this host, a step at a time.
 *
 * <p>An agent shares the machine with the server that it watches, and it matters most when that server is short of
 * memory and processors: so it may cost next to nothing exactly then. Descriptors stay open, one buffer per file is
 * reused, numbers are parsed from bytes: a step makes nothing for the collector and costs some tens of microseconds,
 * nearly all of it the kernel's ({@code SampleBenchmark}). Nothing it reads grows with the number of connections.
 *
 * <p>A counter that cannot be read keeps its last value, is named by {@link #unreadable()}, and does not hold up the
 * others.
 *
 * <p>{@link #step} is for one thread; values may be read by others, each by itself up to date.
 *
 * <p>Source: paper P1, section 3 and table 1.
 */
public final class HostSampler implements Closeable {
    private final Map<HostCounter, Reading> readings = new EnumMap<>(HostCounter.class);
    private final Reading[] inOrder;
    private final double[] values;

    private HostSampler(Map<HostCounter, CounterSource> sources) {
        sources.forEach((counter, source) -> readings.put(counter, new Reading(counter, source)));
        this.inOrder = readings.values().toArray(Reading[]::new);
        this.values = new double[inOrder.length];
    }

    /** Opens every counter of the registry; fails if this kernel lacks one, with the file's name. */
    public static HostSampler open(HostFiles files) throws IOException {
        Map<HostCounter, CounterSource> sources = new EnumMap<>(HostCounter.class);
        for (HostCounter counter : HostCounter.values()) {
            sources.put(counter, counter.open(files));
        }
        return new HostSampler(sources);
    }

    /**
     * Takes one sample of everything.
     *
     * @param nowNanos monotonic time, for counters that are rates
     */
    public void step(long nowNanos) {
        for (int i = 0; i < inOrder.length; i++) {
            inOrder[i].step(nowNanos);
            values[i] = inOrder[i].value();
        }
    }

    /** The values of the last step in the registry's order; the same array each time, for the stepping thread. */
    double[] values() {
        return values;
    }

    /** The last value of one counter, for any thread. */
    double value(HostCounter counter) {
        return requireNonNull(readings.get(counter)).value();
    }

    /** How many counters could not be read at the last step. */
    int failing() {
        int failing = 0;
        for (Reading reading : inOrder) {
            failing += reading.failing() ? 1 : 0;
        }
        return failing;
    }

    /** The counters that could not be read at the last step. */
    List<HostCounter> unreadable() {
        return readings.keySet().stream()
                .filter(counter -> requireNonNull(readings.get(counter)).failing())
                .toList();
    }

    /** The last step's values as they are published. */
    public CounterSample sample() {
        return new CounterSample(
                (long) value(HostCounter.AVAILABLE_MEMORY),
                value(HostCounter.PAGE_READS),
                value(HostCounter.RUN_QUEUE),
                value(HostCounter.CPU_BUSY),
                value(HostCounter.NETWORK_BYTES),
                (int) value(HostCounter.ESTABLISHED_CONNECTIONS));
    }

    @Override
    public void close() throws IOException {
        for (Reading reading : inOrder) {
            reading.close();
        }
    }
}
