// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import java.util.random.RandomGenerator;

/**
 * File sizes as SURGE draws them (Barford and Crovella, SIGMETRICS 1998, table 1): a lognormal body and a heavy Pareto
 * tail. Used by the experiment of paper P2. Not thread-safe, because the random source is not.
 */
public final class SurgeSizes {
    private static final double BODY_SHARE = 0.93;
    private static final double BODY_MU = 9.357;
    private static final double BODY_SIGMA = 1.318;
    private static final double TAIL_SCALE = 133_000;
    private static final double TAIL_ALPHA = 1.1;

    private final RandomGenerator random;
    private final int largest;

    /**
     * Draws from a source of its own.
     *
     * @param largest cuts the tail, in bytes, so that a tree has a bounded size
     */
    public SurgeSizes(RandomGenerator random, int largest) {
        this.random = random;
        this.largest = largest;
    }

    /** Bytes of the next file, at least 1. */
    public int next() {
        double size = random.nextDouble() < BODY_SHARE ? body() : tail();
        return (int) Math.clamp(size, 1, largest);
    }

    private double body() {
        return Math.exp(BODY_MU + BODY_SIGMA * random.nextGaussian());
    }

    private double tail() {
        return TAIL_SCALE / Math.pow(1 - random.nextDouble(), 1 / TAIL_ALPHA);
    }
}
