// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import io.albm.core.node.Counter;
import java.util.List;
import java.util.Set;

/** The stress experiments of paper P1, section 3, and the counters in which each can show that a server is at its end. */
@SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable
enum Experiment {
    /** Many tiny documents: the processor queue. */
    FINE_GRAIN(
            "fine-grain",
            "Figure 1: tiny documents",
            "clients",
            Set.of(Counter.RUN_QUEUE_LENGTH, Counter.CPU_BUSY, Counter.CPU_PRESSURE)),
    /** Large documents: the network, or the disk. */
    COARSE_GRAIN(
            "coarse-grain",
            "Figure 2: large documents",
            "clients",
            Set.of(Counter.NETWORK, Counter.DISK_BUSY, Counter.DISK, Counter.IO_PRESSURE, Counter.CPU_BUSY)),
    /** Requests that hold memory, more and more: available memory, and the disk reads that bring pages back. */
    MEMORY_INTENSIVE(
            "memory-intensive",
            "Figure 3: requests that hold memory",
            "MB a request",
            Set.of(
                    Counter.AVAILABLE_MEMORY,
                    Counter.PAGE_READS,
                    Counter.MEMORY_PRESSURE,
                    Counter.FREE_SWAP,
                    Counter.SWAP_INS,
                    Counter.SWAP_OUTS));

    private final String title;
    private final String figure;
    private final String load;
    private final Set<Counter> counters;

    Experiment(String title, String figure, String load, Set<Counter> counters) {
        this.title = title;
        this.figure = figure;
        this.load = load;
        this.counters = counters;
    }

    String title() {
        return title;
    }

    String figure() {
        return figure;
    }

    /** What grows from step to step. */
    String load() {
        return load;
    }

    /** In the registry's order. */
    List<Counter> counters() {
        return counters.stream().sorted().toList();
    }

    /**
     * Whether a healthy server's goodput grows with the load. With more memory for each of the same number of requests it
     * can only hold.
     */
    boolean goodputGrows() {
        return this != MEMORY_INTENSIVE;
    }
}
