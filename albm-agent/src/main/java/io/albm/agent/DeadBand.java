// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import java.time.Duration;
import java.util.List;

/**
 * Decides when a host's counters are worth publishing. They always move a little; a cluster of 1000 nodes that told of
 * every movement four times a second would cost ZooKeeper 4000 writes a second and tell nobody anything. So a report
 * goes out
 *
 * <ul>
 *   <li>when a counter has left the band around its published value: {@code max(absolute, relative * published)} wide
 *       to each side, so that a reader's value is never wrong by more;
 *   <li>at the latest after the heartbeat, so that a reader can tell "unchanged" from "silent";
 *   <li>at the earliest one period after the last, so that a thrashing host does not thrash the directory too.
 * </ul>
 *
 * <p>A relative band is what keeps the threshold sharp: memory that falls from 24 GB towards 100 MB is told in steps of
 * 2 %, which near the threshold means steps of 4 MB. Pure: time comes in by argument. Not thread-safe.
 */
final class DeadBand {
    /**
     * How far a value may drift before it counts as changed.
     *
     * @param absolute in the counter's unit
     * @param relative share of the published value
     */
    record Width(double absolute, double relative) {
        Width {
            if (!(absolute >= 0) || !(relative >= 0)) {
                throw new IllegalArgumentException(
                        "a dead band is " + absolute + " and " + relative + " wide; neither may be negative");
            }
        }

        boolean isLeft(double published, double now) {
            return Math.abs(now - published) > Math.max(absolute, relative * Math.abs(published));
        }
    }

    private final Width[] widths;
    private final double[] published;
    private final long periodNanos;
    private final long heartbeatNanos;
    private long publishedAt;
    private boolean started;

    DeadBand(List<Width> widths, Duration period, Duration heartbeat) {
        this.widths = widths.toArray(Width[]::new);
        this.published = new double[this.widths.length];
        this.periodNanos = period.toNanos();
        this.heartbeatNanos = heartbeat.toNanos();
    }

    /**
     * Whether {@code values} are to be published at {@code nowNanos}; if so they are the published ones from then on.
     */
    boolean publishes(long nowNanos, double[] values) {
        if (!isDue(nowNanos - publishedAt, values)) {
            return false;
        }
        started = true;
        publishedAt = nowNanos;
        System.arraycopy(values, 0, published, 0, published.length);
        return true;
    }

    private boolean isDue(long sincePublished, double[] values) {
        if (!started || sincePublished >= heartbeatNanos) {
            return true;
        }
        return sincePublished >= periodNanos && isLeft(values);
    }

    private boolean isLeft(double[] values) {
        for (int i = 0; i < widths.length; i++) {
            if (widths[i].isLeft(published[i], values[i])) {
                return true;
            }
        }
        return false;
    }
}
