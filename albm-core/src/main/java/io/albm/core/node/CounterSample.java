// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

/**
 * The six counters of a host that decide where a request goes, in the order of paper P1, table 1.
 *
 * @param availableMemoryBytes memory that can be had without swapping: the tightest of host and container
 * @param pageReadsPerSecond page faults that had to wait for the disk
 * @param runQueueLength threads that are ready to run and wait for a processor
 * @param cpuBusyFraction 0 (idle) to 1 (every CPU busy)
 * @param networkBytesPerSecond received and sent; loopback only where the agent is told to count it
 * @param establishedConnections TCP connections in ESTABLISHED or CLOSE_WAIT
 */
public record CounterSample(
        long availableMemoryBytes,
        double pageReadsPerSecond,
        double runQueueLength,
        double cpuBusyFraction,
        double networkBytesPerSecond,
        int establishedConnections) {
    public CounterSample {
        require(availableMemoryBytes >= 0, "availableMemoryBytes", availableMemoryBytes);
        requireFinite("pageReadsPerSecond", pageReadsPerSecond);
        requireFinite("runQueueLength", runQueueLength);
        requireFinite("cpuBusyFraction", cpuBusyFraction);
        require(cpuBusyFraction <= 1, "cpuBusyFraction", cpuBusyFraction);
        requireFinite("networkBytesPerSecond", networkBytesPerSecond);
        require(establishedConnections >= 0, "establishedConnections", establishedConnections);
    }

    private static void requireFinite(String counter, double value) {
        require(value >= 0 && value < Double.POSITIVE_INFINITY, counter, value);
    }

    private static void require(boolean holds, String counter, Number value) {
        if (!holds) {
            throw new IllegalArgumentException("counter " + counter + " = " + value + " is out of its range");
        }
    }
}
