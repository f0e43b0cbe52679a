// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import io.albm.core.node.Thresholds;
import java.time.Duration;

/**
 * When a backend is relieved and how it comes back.
 *
 * @param thresholds levels of counters: a host is short if it is short of any, and recovers when it has enough of all
 * @param samples how many samples in a row must be past a level, at least 1
 * @param samplePeriod how long one report counts as one sample: agents report on change only, so a report that stands
 *     for three periods is three samples
 * @param minTimeOut how long a relieved backend stays out at least
 * @param maxShare the largest share of the available backends that may be out, 0 to 1
 * @param slowStart how long a backend that comes back takes to get its full share; zero gives it at once
 */
public record ReliefSettings(
        Thresholds thresholds,
        int samples,
        Duration samplePeriod,
        Duration minTimeOut,
        double maxShare,
        Duration slowStart) {
    /** The threshold of paper P1. */
    public static final ReliefSettings DEFAULT = new ReliefSettings(
            Thresholds.OF_PAPER, 2, Duration.ofMillis(250), Duration.ofSeconds(2), 0.5, Duration.ofSeconds(5));

    public ReliefSettings {
        if (samples < 1) {
            throw new IllegalArgumentException("samples " + samples + ": expected at least 1");
        }
        if (!(maxShare >= 0 && maxShare <= 1)) {
            throw new IllegalArgumentException("largest share relieved " + maxShare + ": expected 0 to 1");
        }
    }

    /** The same with other levels. */
    public ReliefSettings with(Thresholds changed) {
        return new ReliefSettings(changed, samples, samplePeriod, minTimeOut, maxShare, slowStart);
    }
}
