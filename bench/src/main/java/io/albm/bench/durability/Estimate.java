// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A mean of independent runs with its 95 % confidence interval, by the central limit theorem.
 *
 * @param standardError of the mean
 * @param runs 2 or more
 */
record Estimate(double mean, double standardError, int runs) {
    /** Two-sided 95 % of the normal distribution. */
    private static final double Z = 1.96;

    /** @throws IllegalArgumentException if there are fewer than two runs */
    static Estimate of(List<Run> runs, ToDoubleFunction<Run> figure) {
        if (runs.size() < 2) {
            throw new IllegalArgumentException(runs.size() + " runs: expected 2 or more");
        }
        double mean = runs.stream().mapToDouble(figure).average().orElseThrow();
        double squares = runs.stream()
                .mapToDouble(figure)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return new Estimate(mean, Math.sqrt(squares / (runs.size() - 1) / runs.size()), runs.size());
    }

    double low() {
        return Math.max(0, mean - Z * standardError);
    }

    double high() {
        return mean + Z * standardError;
    }
}
