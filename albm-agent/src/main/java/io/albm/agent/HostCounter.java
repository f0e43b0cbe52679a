// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import java.io.IOException;

/**
 * The registry of what an agent samples: paper P1, table 1, in its order. To add a counter, write its
 * {@link CounterSource} and add it here, a constant and a case: it is then sampled, dead-banded and exported as a
 * metric. To let the distributor see it as well, add a component to {@code CounterSample} and to
 * {@link HostSampler#sample()} (docs/counters.md).
 */
enum HostCounter {
    AVAILABLE_MEMORY(
            "available_memory_bytes",
            "Memory that can be had without swapping, the tightest of host and container",
            4 << 20,
            0.02),
    PAGE_READS("page_reads_per_second", "Page faults that had to wait for the disk", 5, 0.2),
    RUN_QUEUE("run_queue_length", "Threads that are ready to run and wait for a processor", 1, 0.25),
    CPU_BUSY("cpu_busy_fraction", "Busy share of all processors, 0 to 1", 0.05, 0),
    NETWORK_BYTES("network_bytes_per_second", "Bytes received and sent by the counted interfaces", 64 << 10, 0.1),
    ESTABLISHED_CONNECTIONS("established_connections", "TCP connections in ESTABLISHED or CLOSE_WAIT", 5, 0.05);

    private final String metric;
    private final String help;
    private final double absoluteWidth;
    private final double relativeWidth;

    HostCounter(String metric, String help, double absoluteWidth, double relativeWidth) {
        this.metric = metric;
        this.help = help;
        this.absoluteWidth = absoluteWidth;
        this.relativeWidth = relativeWidth;
    }

    /** The name of its metric, with its unit. */
    String metric() {
        return metric;
    }

    /** What it is, in one line. */
    String help() {
        return help;
    }

    /** How far it may drift from what was published before it is published again. */
    DeadBand.Width width() {
        return new DeadBand.Width(absoluteWidth, relativeWidth);
    }

    /** Opens its kernel files. */
    CounterSource open(HostFiles files) throws IOException {
        return switch (this) {
            case AVAILABLE_MEMORY -> AvailableMemory.open(files);
            case PAGE_READS -> PageReads.open(files);
            case RUN_QUEUE -> RunQueue.open(files);
            case CPU_BUSY -> CpuBusy.open(files);
            case NETWORK_BYTES -> NetworkBytes.open(files);
            case ESTABLISHED_CONNECTIONS -> EstablishedConnections.open(files);
        };
    }
}
