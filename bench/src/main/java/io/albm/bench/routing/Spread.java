// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import java.util.Arrays;

/** What the seeds of one contender in one scenario came to, in percent of requests answered in time. */
record Spread(double min, double median, double max, double mean) {
    static Spread of(double[] percents) {
        double[] sorted = percents.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(
                sorted[0],
                median,
                sorted[sorted.length - 1],
                Arrays.stream(sorted).average().orElseThrow());
    }
}
