// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import java.time.Duration;

/**
 * When a backend that health checks find well gets nothing all the same, and when one that they find ill gets requests.
 *
 * @param failuresInARow failed requests in a row that eject, at least 1
 * @param failureRatio share of failed requests that ejects, if it is more than twice that of the other backends together
 * @param minRequests fewer requests within the window prove no ratio
 * @param window time over which the ratio is taken
 * @param ejection how long the first ejection lasts; each next one lasts twice as long
 * @param maxEjection the longest ejection; a backend that was in for as long counts as never ejected
 * @param maxEjectedShare largest share of the healthy backends that may be ejected at once, 0 to 1; of two or more always
 *     one, never all
 * @param panicShare when fewer than this share of the backends that nobody drained can serve, those that
 *     still answer get requests, too; 0 only when none can serve
 * @param slowStart how long a backend that joins or comes back takes to get its full share; zero gives it at once
 */
public record ProtectionSettings(
        int failuresInARow,
        double failureRatio,
        int minRequests,
        Duration window,
        Duration ejection,
        Duration maxEjection,
        double maxEjectedShare,
        double panicShare,
        Duration slowStart) {
    public static final ProtectionSettings DEFAULT = new ProtectionSettings(
            5,
            0.3,
            20,
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            0.3,
            0.3,
            Duration.ofSeconds(5));
}
