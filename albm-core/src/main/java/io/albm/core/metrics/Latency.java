// SPDX-License-Identifier: Apache-2.0
package io.albm.core.metrics;

import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** Collects how long something takes. Thread-safe; recording takes a fraction of a microsecond. */
public final class Latency {

    static final double MEDIAN = 0.5;
    static final double P99 = 0.99;

    private final Timer timer;

    Latency(Timer timer) {
        this.timer = timer;
    }

    /** Adds one duration in nanoseconds; a negative one is ignored. */
    public void record(long nanos) {
        timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    double sumSeconds() {
        return timer.totalTime(TimeUnit.SECONDS);
    }

    double percentileSeconds(double percentile) {
        for (var value : timer.takeSnapshot().percentileValues()) {
            if (value.percentile() == percentile) {
                return value.value(TimeUnit.SECONDS);
            }
        }
        return Double.NaN;
    }
}
