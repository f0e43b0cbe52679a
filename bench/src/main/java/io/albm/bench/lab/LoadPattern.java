// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import java.util.SplittableRandom;

/** How much of a port other traffic takes, over time. */
@FunctionalInterface
public interface LoadPattern {
    /** How long a step of {@link #uneven} lasts. */
    long STEP_NANOS = 100_000_000;

    /**
     * At a moment.
     *
     * @param nanos since the load began
     * @return share of the port's rate, 0 to 1
     */
    double shareAt(long nanos);

    /** Always the same. */
    static LoadPattern steady(double share) {
        return nanos -> share;
    }

    /** Another share in each tenth of a second, uniform from nothing to twice the mean, and never more than the port. */
    static LoadPattern uneven(double mean, long seed) {
        return nanos -> Math.min(1, new SplittableRandom(seed + nanos / STEP_NANOS).nextDouble(2 * mean));
    }
}
