// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Draws ranks by Zipf's law with exponent 1: rank {@code r} is asked for in proportion to {@code 1 / (r + 1)}. */
public final class Zipf {
    private final double[] cumulative;

    /**
     * Prepares the draw.
     *
     * @param ranks how many, at least 1
     */
    public Zipf(int ranks) {
        cumulative = new double[ranks];
        double sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += 1.0 / (rank + 1);
            cumulative[rank] = sum;
        }
    }

    /** A rank from 0, the most popular. */
    public int next(RandomGenerator random) {
        double drawn = random.nextDouble() * cumulative[cumulative.length - 1];
        int found = Arrays.binarySearch(cumulative, drawn);
        return Math.min(found < 0 ? -found - 1 : found, cumulative.length - 1);
    }
}
