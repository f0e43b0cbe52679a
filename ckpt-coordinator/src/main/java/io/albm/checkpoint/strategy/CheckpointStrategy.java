// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

/** Decides at every checkpoint who writes when. Implementations are pure. */
@FunctionalInterface
public interface CheckpointStrategy {
    /**
     * Plans one checkpoint.
     *
     * @param sizes what every rank has to store
     * @param network what it is stored over
     */
    DrainPlan plan(RankSizes sizes, Network network);

    /** Whether I/O nodes are to grant credit at the rates of {@link RateControl} while such a plan is followed. */
    default boolean isPaced() {
        return false;
    }
}
