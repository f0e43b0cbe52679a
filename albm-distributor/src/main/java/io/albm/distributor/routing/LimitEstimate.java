// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

/**
 * What may be in flight on a host, from reports that each ask for something else: a Kalman filter of one value.
 *
 * <p>A report shows the host as it was some moments ago, what is in flight is known as of now. How wrong that makes a report
 * is known, too: by little while nothing is in flight; by the turnover of those moments, a share of what is in flight,
 * while as many come as go; by much of the difference while more comes than goes, as when the load begins, and for some
 * seconds more: what came together ends together, and while the next ones have not taken their memory yet, a report shows
 * a host that looks free. So a quiet host is averaged over some seconds, a busy one over about 20, and a report out of the
 * middle of a burst changes next to nothing.
 *
 * <p>The filter knows nothing of what may start or end beside us. A report that is off by more than noise and twice what
 * was in flight of late explain, however late it may be, ends what was known: the filter begins anew with that report.
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

    /** Standard deviations that are not noise. */
    private static final double IMPOSSIBLE = 5;

    private final Lately inFlight = new Lately();

    private double bytes;
    private double variance = Double.POSITIVE_INFINITY;
    private long updatedNanos;

    /** The extremes of the last {@link #SPAN_NANOS}, and up to as much before: no report is believed to be later. */
    private static final class Lately {
        private static final long SPAN_NANOS = 3_000_000_000L;

        private long most;
        private long least;
        private long mostBefore;
        private long leastBefore;
        private long sinceNanos;

        void add(long value, long nowNanos) {
            if (nowNanos - sinceNanos >= SPAN_NANOS) {
                mostBefore = most;
                leastBefore = least;
                most = value;
                least = value;
                sinceNanos = nowNanos;
            }
            most = Math.max(most, value);
            least = Math.min(least, value);
        }

        long most() {
            return Math.max(most, mostBefore);
        }

        long range() {
            return most() - Math.min(least, leastBefore);
        }
    }

    /** Forgets everything. */
    void forget() {
        variance = Double.POSITIVE_INFINITY;
    }

    /**
     * Requests whose cost nobody knew turn out to have held that many bytes at earlier reports. A report that was late did not
     * show them, so that what it asked for was right without them; nobody can tell, and half of it is as wrong as can be.
     */
    void revalue(long bytesMore) {
        bytes += bytesMore / 2.0;
        variance += square(bytesMore / 2.0);
    }

    /**
     * Takes in a report.
     *
     * @param aimBytes what it asks for
     * @param costBytes in flight when it came
     */
    void observe(double aimBytes, long costBytes, long nowNanos) {
        inFlight.add(costBytes, nowNanos);
        double error = square(LEAST_ERROR) + square(TURNOVER * costBytes) + square(SHARE_OF_CHANGE * inFlight.range());
        double prior = variance + square(DRIFT) * (nowNanos - updatedNanos) / NANOS_PER_SECOND;
        double surprise = aimBytes - bytes;
        if (prior == Double.POSITIVE_INFINITY || isDisproved(surprise, prior)) {
            bytes = aimBytes;
            variance = error;
        } else {
            bytes += prior / (prior + error) * surprise;
            variance = prior * error / (prior + error);
        }
        updatedNanos = nowNanos;
    }

    private boolean isDisproved(double surprise, double prior) {
        return Math.abs(surprise) - 2.0 * inFlight.most() > IMPOSSIBLE * Math.sqrt(prior + square(LEAST_ERROR));
    }

    private static double square(double value) {
        return value * value;
    }

    /** The estimate. */
    long bytes() {
        return Math.round(bytes);
    }
}
