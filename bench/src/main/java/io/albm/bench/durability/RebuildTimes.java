// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import org.HdrHistogram.Histogram;

/** How long rebuilds took, from the failure to full redundancy. For one thread. */
final class RebuildTimes {
    private static final int DIGITS = 3;
    private static final double MILLIS_PER_HOUR = 3_600_000;

    private final Histogram millis = new Histogram(DIGITS);

    void add(double hours) {
        millis.recordValue(Math.round(hours * MILLIS_PER_HOUR));
    }

    long count() {
        return millis.getTotalCount();
    }

    double meanHours() {
        return millis.getMean() / MILLIS_PER_HOUR;
    }

    double p99Hours() {
        return millis.getValueAtPercentile(99) / MILLIS_PER_HOUR;
    }
}
