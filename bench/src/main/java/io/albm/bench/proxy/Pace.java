// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import java.time.Duration;

/**
 * How long is measured.
 *
 * @param rounds runs of each proxy in each scenario
 * @param run length of one, whole seconds
 * @param longestWarmUp of our JVM in each scenario, before the first round
 */
record Pace(int rounds, Duration run, Duration longestWarmUp) {
    static Pace full() {
        return new Pace(5, Duration.ofSeconds(4), Duration.ofSeconds(90));
    }

    static Pace quick() {
        return new Pace(5, Duration.ofSeconds(1), Duration.ofSeconds(30));
    }
}
