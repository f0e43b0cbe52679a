// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

/**
 * What may be in flight on a host, from reports that each ask for something else: a Kalman filter of one value.
 *
 * <p>A report shows the host as it was some moments ago, what is in flight is known as of now. How wrong that makes a report
 * is known, too: by little while nothing is in flight; by the turnover of those moments, a share of what is in flight,
 * while as many come as go; by much of the difference while more comes than goes, as when the load begins. So a quiet
 * host is averaged over some seconds, a busy one over about 20, and a report out of the middle of a burst changes next to
 * nothing.
 *
 * <p>Not thread-safe.
 */
final class LimitEstimate {
    private static final double MIB = 1 << 20;
    private static final double NANOS_PER_SECOND = 1e9;

    /** What a server moves by itself, and what agents are silent about. */
    private static final double LEAST_ERROR = 14 * MIB;

    private static final double TURNOVER = 0.05;
    private static final double SHARE_OF_CHANGE = 0.5;

    /** What else runs on the host moves it by that much in a second. */
    private static final double DRIFT = 1.2 * MIB;

    private double bytes;
    private double variance = Double.POSITIVE_INFINITY;
    private long costBefore;
    private long updatedNanos;

    /** Forgets everything. */
    void forget() {
        variance = Double.POSITIVE_INFINITY;
        costBefore = 0;
    }

    /**
     * Takes in a report.
     *
     * @param aimBytes what it asks for
     * @param costBytes in flight when it came
     */
    void observe(double aimBytes, long costBytes, long nowNanos) {
        double error =
                square(LEAST_ERROR) + square(TURNOVER * costBytes) + square(SHARE_OF_CHANGE * (costBytes - costBefore));
        if (variance == Double.POSITIVE_INFINITY) {
            bytes = aimBytes;
            variance = error;
        } else {
            double prior = variance + square(DRIFT) * (nowNanos - updatedNanos) / NANOS_PER_SECOND;
            bytes += prior / (prior + error) * (aimBytes - bytes);
            variance = prior * error / (prior + error);
        }
        costBefore = costBytes;
        updatedNanos = nowNanos;
    }

    private static double square(double value) {
        return value * value;
    }

    /** The estimate. */
    long bytes() {
        return Math.round(bytes);
    }
}
