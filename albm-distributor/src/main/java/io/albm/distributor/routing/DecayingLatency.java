// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A moving average of latency that weighs by time, not by number: a value is worth 1/e of its first weight after
 * {@link #TAU_NANOS}. Reading decays it further, as if an answer of no latency had come just now, so that nobody is
 * shunned for ever because of one slow answer (the "trickle" of Finagle's peak EWMA).
 *
 * <p>Value and time share one word (a float of nanoseconds, a time in units of 2^20 ns ≈ 1 ms that wraps after 52 days),
 * so that an update is one compare-and-set and never tears.
 */
final class DecayingLatency {
    /** Finagle's default decay time. */
    static final double TAU_NANOS = 10e9;

    private static final int TICK_SHIFT = 20;
    private static final double TICK_NANOS = 1 << TICK_SHIFT;
    private static final long EMPTY = 0;
    private static final long FLOAT_MASK = 0xFFFF_FFFFL;

    private final AtomicLong state = new AtomicLong(EMPTY);

    /** c = c·w + r·(1 − w), w = exp(−Δt/τ); the first value counts in full. */
    void addMean(long nanos, long nowNanos) {
        add(nanos, nowNanos, false);
    }

    /** c = r if r &gt; c, else as {@link #addMean}: bad news counts at once, good news little by little. */
    void addPeak(long nanos, long nowNanos) {
        add(nanos, nowNanos, true);
    }

    private void add(long nanos, long nowNanos, boolean peak) {
        long before;
        long after;
        do {
            before = state.get();
            after = pack(next(before, nanos, nowNanos, peak), nowNanos);
        } while (!state.compareAndSet(before, after));
    }

    private static double next(long before, long nanos, long nowNanos, boolean peak) {
        double average = value(before);
        if (before == EMPTY || (peak && nanos > average)) {
            return nanos;
        }
        double weight = weight(before, nowNanos);
        return average * weight + nanos * (1 - weight);
    }

    /** The average, decayed to that time; 0 without history. */
    double at(long nowNanos) {
        long now = state.get();
        return now == EMPTY ? 0 : value(now) * weight(now, nowNanos);
    }

    /** The average as it was when the last answer came; 0 without history. */
    double last() {
        long now = state.get();
        return now == EMPTY ? 0 : value(now);
    }

    private static double weight(long packed, long nowNanos) {
        int elapsed = (int) (nowNanos >> TICK_SHIFT) - (int) (packed >>> Integer.SIZE);
        return Math.exp(-Math.max(0, elapsed) * TICK_NANOS / TAU_NANOS);
    }

    private static double value(long packed) {
        return Float.intBitsToFloat((int) packed);
    }

    private static long pack(double nanos, long nowNanos) {
        // at least the smallest float above zero, so that no state looks empty
        int bits = Float.floatToRawIntBits((float) Math.max(nanos, Float.MIN_VALUE));
        return (nowNanos >> TICK_SHIFT) << Integer.SIZE | (bits & FLOAT_MASK);
    }
}
