// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.util.List;
import java.util.Set;

/** The order in which the ranks of one checkpoint write to stable storage. Pure: asked again after every change. */
public interface DrainPlan {
    /**
     * The ranks that may write now, those already writing included.
     *
     * @param stored ranks whose state is durable
     * @return empty only if every rank is stored
     */
    List<Integer> writers(Set<Integer> stored);

    /** The number of ranks that write at once. */
    int groupSize();
}
