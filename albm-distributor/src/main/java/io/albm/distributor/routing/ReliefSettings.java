// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.time.Duration;

/**
 * When a backend is relieved and how it comes back.
 *
 * @param availableMemory levels of the host's available memory in bytes
 * @param samples how many samples in a row must be past a level, at least 1
 * @param samplePeriod how long one report counts as one sample: agents report on change only, so a report that stands
 *     for three periods is three samples
 * @param minTimeOut how long a relieved backend stays out at least
 * @param maxShare the largest share of the available backends that may be out, 0 to 1
 * @param slowStart how long a backend that comes back takes to get its full share; zero gives it at once
 */
public record ReliefSettings(
        Threshold availableMemory,
        int samples,
        Duration samplePeriod,
        Duration minTimeOut,
        double maxShare,
        Duration slowStart) {
    private static final long MIB = 1L << 20;

    /** Paper P1 saw the knee of its 512 MB servers between 135 and 83 MB and set the threshold to 100 MB. */
    public static final ReliefSettings DEFAULT = new ReliefSettings(
            new Threshold(100 * MIB, 130 * MIB),
            2,
            Duration.ofMillis(250),
            Duration.ofSeconds(2),
            0.5,
            Duration.ofSeconds(5));

    public ReliefSettings {
        if (samples < 1) {
            throw new IllegalArgumentException("samples " + samples + ": expected at least 1");
        }
        if (!(maxShare >= 0 && maxShare <= 1)) {
            throw new IllegalArgumentException("largest share relieved " + maxShare + ": expected 0 to 1");
        }
    }

    /** The same with other levels of available memory. */
    public ReliefSettings withAvailableMemory(Threshold levels) {
        return new ReliefSettings(levels, samples, samplePeriod, minTimeOut, maxShare, slowStart);
    }
}
