// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.stats;

/** How quickly a total grows, by looks at it about once a second. Looked at by one thread, read by all. */
public final class Rate {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long NEVER = Long.MIN_VALUE;

    private long lastTotal;
    private long lastNanos = NEVER;
    private volatile long perSecond;
    private volatile long most;
    private volatile long grewNanos = NEVER;

    /** Takes the next look. */
    public void look(long total, long nowNanos) {
        if (total != lastTotal) {
            grewNanos = nowNanos;
        }
        if (lastNanos != NEVER && nowNanos > lastNanos) {
            perSecond = Math.round((total - lastTotal) * NANOS_PER_SECOND / (nowNanos - lastNanos));
            most = Math.max(most, perSecond);
        }
        lastTotal = total;
        lastNanos = nowNanos;
    }

    /** Per second, over the last look's interval. */
    public long perSecond() {
        return perSecond;
    }

    /** The highest of all looks. */
    public long most() {
        return most;
    }

    /** Seconds since it grew, to the second; -1 if it never did. */
    public long secondsSinceGrowth(long nowNanos) {
        return grewNanos == NEVER ? -1 : Math.max(0, Math.round((nowNanos - grewNanos) / NANOS_PER_SECOND));
    }
}
