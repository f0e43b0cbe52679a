// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What became of the requests of one run: those which end while it counts. Failures count from its beginning to its end and
 * beyond, since one is too many whenever it happens. Thread-safe.
 */
final class Outcomes {
    /** A later answer is no failure, but nobody waits for it: it does not count as goodput. */
    static final Duration PATIENCE = Duration.ofSeconds(4);

    private static final long LONGEST_MILLIS = 60_000;

    private final long fromNanos;
    private final long toNanos;
    private final Histogram millis = new Histogram(LONGEST_MILLIS, 3);
    private final Map<String, Integer> failures = new TreeMap<>();
    private long inTime;
    private long late;
    private long failed;

    /** Answers count from one moment to the other, on {@link System#nanoTime}'s clock. */
    Outcomes(long fromNanos, long toNanos) {
        this.fromNanos = fromNanos;
        this.toNanos = toNanos;
    }

    synchronized void answered(long beganNanos, long endedNanos) {
        if (endedNanos - fromNanos < 0 || endedNanos - toNanos > 0) {
            return;
        }
        long latencyMillis = TimeUnit.NANOSECONDS.toMillis(endedNanos - beganNanos);
        millis.recordValue(Math.clamp(latencyMillis, 0, LONGEST_MILLIS));
        if (latencyMillis <= PATIENCE.toMillis()) {
            inTime++;
        } else {
            late++;
        }
    }

    synchronized void failed(String why) {
        failed++;
        failures.merge(why, 1, Integer::sum);
    }

    /** Failures by their reason. */
    synchronized Map<String, Integer> failures() {
        return Map.copyOf(failures);
    }

    /** All of it as a row of the table. */
    synchronized Cell cell(String variant, int clients, int round) {
        double seconds = (toNanos - fromNanos) / 1e9;
        return new Cell(
                variant,
                clients,
                round,
                inTime / seconds,
                millis.getValueAtPercentile(50),
                millis.getValueAtPercentile(99),
                late,
                failed);
    }
}
