// SPDX-License-Identifier: Apache-2.0
package io.albm.core.proc;

/** Turns a count that only grows into a rate. Not thread-safe. */
public final class Rate {
    private static final double NANOS_PER_SECOND = 1e9;

    private boolean started;
    private long lastNanos;
    private long lastCount;
    private double perSecond;

    /**
     * The rate since the last call; 0 for the first, and when the count stepped back (an interface was removed, a
     * driver was loaded again). Without time between two calls the last rate stands.
     */
    public double update(long nowNanos, long count) {
        long elapsed = nowNanos - lastNanos;
        if (started && elapsed <= 0) {
            return perSecond;
        }
        perSecond = started ? Math.max(0, count - lastCount) * NANOS_PER_SECOND / elapsed : 0;
        started = true;
        lastNanos = nowNanos;
        lastCount = count;
        return perSecond;
    }
}
