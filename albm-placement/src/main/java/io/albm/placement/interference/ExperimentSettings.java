// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

import java.time.Duration;

/**
 * How large and how long the experiment is.
 *
 * @param counters word counters on the node
 * @param textBytes length of each counter's text
 * @param nodeBytes the node's memory
 * @param stressThreads threads of the neighbour
 * @param pairs pairs of windows for each disturbance
 * @param window length of a window
 * @param longestSettling how long at most a window waits for the counters to have met its situation everywhere
 */
public record ExperimentSettings(
        int counters,
        long textBytes,
        long nodeBytes,
        int stressThreads,
        int pairs,
        Duration window,
        Duration longestSettling) {
    private static final long MIB = 1 << 20;

    /** Paper P4's worker, 10 counters in 1 GB with 10 stress threads; a minute, however slow the machine. */
    public static ExperimentSettings quick() {
        return new ExperimentSettings(10, 40 * MIB, 1024 * MIB, 10, 3, Duration.ofMillis(1500), Duration.ofSeconds(2));
    }

    /** The same with more and longer windows; some five minutes. */
    public static ExperimentSettings full() {
        return new ExperimentSettings(10, 40 * MIB, 1024 * MIB, 10, 7, Duration.ofSeconds(5), Duration.ofSeconds(10));
    }

    /** The texts of all counters. */
    long allTextBytes() {
        return counters * textBytes;
    }
}
