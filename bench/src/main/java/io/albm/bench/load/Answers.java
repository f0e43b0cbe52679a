// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What became of the requests of one run: those which end while it counts. Failures count from its beginning to its end
 * and beyond, since one is too many whenever it happens. Thread-safe.
 */
public final class Answers {
    private static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(2);
    private static final double MICROS_PER_MILLI = 1_000;

    private final long fromNanos;
    private final long toNanos;
    private final Histogram micros = new Histogram(LONGEST_MICROS, 3);
    private final Map<String, Integer> failures = new TreeMap<>();
    private long failed;

    /** Answers count from one moment to the other, on {@link System#nanoTime}'s clock. */
    public Answers(long fromNanos, long toNanos) {
        this.fromNanos = fromNanos;
        this.toNanos = toNanos;
    }

    /** A right answer, between those moments. */
    public synchronized void answered(long beganNanos, long endedNanos) {
        if (endedNanos - fromNanos >= 0 && endedNanos - toNanos <= 0) {
            micros.recordValue(Math.clamp((endedNanos - beganNanos) / 1_000, 0, LONGEST_MICROS));
        }
    }

    /** A request without a right answer. */
    public synchronized void failed(String why) {
        failed++;
        failures.merge(why, 1, Integer::sum);
    }

    /** Right answers. */
    public synchronized long count() {
        return micros.getTotalCount();
    }

    /** Right answers a second. */
    public synchronized double perSecond() {
        return micros.getTotalCount() / seconds();
    }

    /** Right answers a second that took no longer than that. */
    public synchronized double perSecondWithin(Duration patience) {
        return within(patience) / seconds();
    }

    /** Right answers that took longer than that. */
    public synchronized long laterThan(Duration patience) {
        return micros.getTotalCount() - within(patience);
    }

    private long within(Duration patience) {
        return micros.getCountBetweenValues(0, patience.toNanos() / 1_000);
    }

    private double seconds() {
        return (toNanos - fromNanos) / 1e9;
    }

    /** Mean of the times from the request to the last byte; 0 if there was none. */
    public synchronized double meanMillis() {
        return micros.getTotalCount() == 0 ? 0 : micros.getMean() / MICROS_PER_MILLI;
    }

    /** That percentile of the same times. */
    public synchronized double millisAt(double percentile) {
        return micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
    }

    /** Requests without a right answer. */
    public synchronized long failures() {
        return failed;
    }

    /** The same by their reason. */
    public synchronized Map<String, Integer> failuresByReason() {
        return Map.copyOf(failures);
    }
}
