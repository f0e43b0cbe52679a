// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.util.List;

/** Decides at every checkpoint who writes when. Implementations are pure. */
@FunctionalInterface
public interface CheckpointStrategy {
    /**
     * Plans one checkpoint.
     *
     * @param ranks all ranks of the job, at least one
     * @param bandwidth what is available to it
     */
    DrainPlan plan(List<Integer> ranks, Bandwidth bandwidth);
}
