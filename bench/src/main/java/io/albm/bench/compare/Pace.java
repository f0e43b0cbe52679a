// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

import java.time.Duration;

/**
 * How long is measured.
 *
 * @param rounds runs of each contender in each scenario
 * @param run length of one, whole seconds
 * @param longestWarmUp of our JVM in each scenario, before the first round
 */
public record Pace(int rounds, Duration run, Duration longestWarmUp) {
    /** What figures for others are taken with. */
    public static Pace full() {
        return new Pace(5, Duration.ofSeconds(4), Duration.ofSeconds(90));
    }

    /** For work on the program. */
    public static Pace quick() {
        return new Pace(5, Duration.ofSeconds(1), Duration.ofSeconds(30));
    }
}
