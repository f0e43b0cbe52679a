// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.report;

import java.util.Collection;
import java.util.List;

/** The figure that a single disturbed run does not move. */
public final class Median {
    private Median() {}

    /**
     * Of an odd number of values the one in the middle, of an even one the mean of both.
     *
     * @param values at least one
     */
    public static double of(Collection<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
