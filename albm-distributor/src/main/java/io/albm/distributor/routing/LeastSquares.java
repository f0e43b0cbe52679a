// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.function.IntConsumer;

/**
 * Recursive least squares: finds the values v of which a change Δ explains v·Δ, from one noisy observation after the other.
 *
 * <p>With the covariance P of the values, in units of the noise's variance, an observation of weight w with the error e gives
 * v ← v + P·Δ · e ÷ (1 ÷ w + Δ·P·Δ) and P ← P − P·Δ·(P·Δ)ᵀ ÷ (1 ÷ w + Δ·P·Δ). What comes and goes together is told apart only by
 * where it does not, and counts as uncertain until then; a gain for each value by itself is much simpler, but takes
 * hundreds of observations of such a pair to find out which is the larger one. No value is negative. No variance falls
 * below 1 ÷ {@link #MOST_EVIDENCE}, so that a value that changes is learned anew.
 *
 * <p>Only what has ever changed has a row in P. Not thread-safe.
 */
final class LeastSquares {
    private static final double MOST_EVIDENCE = 10_000;

    private final double[] values;
    private final int[] seen;
    private final boolean[] isSeen;
    private final double[] gains;
    private final double[][] covariance;
    private int seenCount;

    /** Of that many values, all 0 and quite uncertain. */
    LeastSquares(int size) {
        this.values = new double[size];
        this.seen = new int[size];
        this.isSeen = new boolean[size];
        this.gains = new double[size];
        this.covariance = new double[size][];
    }

    double value(int index) {
        return values[index];
    }

    /** Standard error of a value, as a multiple of the noise's. */
    double uncertainty(int index) {
        return isSeen[index] ? Math.sqrt(covariance[index][index]) : 1;
    }

    void forEachSeen(IntConsumer action) {
        for (int i = 0; i < seenCount; i++) {
            action.accept(seen[i]);
        }
    }

    /** What the values make of a change. */
    double explained(int[] changes) {
        double sum = 0;
        for (int i = 0; i < changes.length; i++) {
            sum += values[i] * changes[i];
        }
        return sum;
    }

    /**
     * Takes in an observation.
     *
     * @param error what was observed beyond what is explained
     * @param weight how much evidence it is, of more than 0 and at most 1: as if its noise's variance were 1 ÷ weight
     */
    void learn(int[] changes, double error, double weight) {
        for (int i = 0; i < changes.length; i++) {
            if (changes[i] != 0 && !isSeen[i]) {
                see(i);
            }
        }
        double innovation = 1 / weight;
        for (int i = 0; i < seenCount; i++) {
            double gain = gain(seen[i], changes);
            gains[seen[i]] = gain;
            innovation += gain * changes[seen[i]];
        }
        for (int i = 0; i < seenCount; i++) {
            int index = seen[i];
            values[index] = Math.max(0, values[index] + gains[index] * error / innovation);
            reduce(index, gains[index] / innovation);
        }
    }

    private void see(int index) {
        isSeen[index] = true;
        seen[seenCount++] = index;
        double[] row = new double[values.length];
        row[index] = 1;
        covariance[index] = row;
    }

    private double gain(int index, int[] changes) {
        double[] row = covariance[index];
        double sum = 0;
        for (int i = 0; i < seenCount; i++) {
            sum += row[seen[i]] * changes[seen[i]];
        }
        return sum;
    }

    private void reduce(int index, double by) {
        double[] row = covariance[index];
        for (int i = 0; i < seenCount; i++) {
            row[seen[i]] -= by * gains[seen[i]];
        }
        row[index] = Math.max(row[index], 1 / MOST_EVIDENCE);
    }
}
