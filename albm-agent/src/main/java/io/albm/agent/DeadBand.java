// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.node.Counter.Tolerance;
import java.time.Duration;
import java.util.List;

/**
 * Decides when a host's counters are worth publishing. They always move a little; a cluster of 1000 nodes that told of
 * every movement four times a second would cost ZooKeeper 4000 writes a second and tell nobody anything. So a report
 * goes out
 *
 * <ul>
 *   <li>when a counter has left the {@link Tolerance} around its published value, so that a reader's value is never
 *       wrong by more;
 *   <li>at the latest after the heartbeat, so that a reader can tell "unchanged" from "silent";
 *   <li>at the earliest one period after the last, so that a thrashing host does not thrash the directory too.
 * </ul>
 *
 * <p>A relative band is what keeps the threshold sharp: memory that falls from 24 GB towards 100 MB is told in steps of
 * 2 %, which near the threshold means steps of 4 MB. Pure: time comes in by argument. Not thread-safe.
 */
final class DeadBand {
    private final Tolerance[] tolerances;
    private final double[] published;
    private final long periodNanos;
    private final long heartbeatNanos;
    private long publishedAt;
    private boolean started;

    DeadBand(List<Tolerance> tolerances, Duration period, Duration heartbeat) {
        this.tolerances = tolerances.toArray(Tolerance[]::new);
        this.published = new double[this.tolerances.length];
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
        for (int i = 0; i < tolerances.length; i++) {
            if (tolerances[i].isLeft(published[i], values[i])) {
                return true;
            }
        }
        return false;
    }
}
