// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.node.Counter;
import io.albm.core.node.CounterSample;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Samples every {@link Counter} of this host, a step at a time.
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
    private static final Counter[] COUNTERS = Counter.values();

    private final KernelFiles files;
    private final Reading[] readings = new Reading[COUNTERS.length];
    private final double[] values = new double[COUNTERS.length];

    private HostSampler(KernelFiles files) {
        this.files = files;
    }

    /** Opens every counter of the registry; fails if this host lacks a file that every Linux has, with its name. */
    public static HostSampler open(HostFiles host) throws IOException {
        KernelFiles files = new KernelFiles(host);
        try {
            HostSampler sampler = new HostSampler(files);
            CounterSources sources = new CounterSources(files);
            for (Counter counter : COUNTERS) {
                sampler.readings[counter.position()] = new Reading(counter, sources.open(counter));
            }
            return sampler;
        } catch (IOException e) {
            files.close();
            throw e;
        }
    }

    /**
     * Takes one sample of everything.
     *
     * @param nowNanos monotonic time, for counters that are rates
     */
    public void step(long nowNanos) {
        for (int i = 0; i < readings.length; i++) {
            readings[i].step(nowNanos);
            values[i] = readings[i].value();
        }
    }

    /** The values of the last step in the registry's order; the same array each time, for the stepping thread. */
    double[] values() {
        return values;
    }

    /** The last value of one counter, for any thread; NaN if this host does not have it. */
    double value(Counter counter) {
        return readings[counter.position()].value();
    }

    /** How many counters could not be read at the last step. */
    int failing() {
        int failing = 0;
        for (Reading reading : readings) {
            failing += reading.failing() ? 1 : 0;
        }
        return failing;
    }

    /** The counters that could not be read at the last step. */
    List<Counter> unreadable() {
        return Arrays.stream(COUNTERS)
                .filter(counter -> readings[counter.position()].failing())
                .toList();
    }

    /** The last step's values as they are published. */
    public CounterSample sample() {
        return CounterSample.of(this::value);
    }

    @Override
    public void close() throws IOException {
        files.close();
    }
}
