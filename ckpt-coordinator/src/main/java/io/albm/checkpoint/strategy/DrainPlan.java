// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.util.List;
import java.util.Set;

/**
 * The order in which the ranks of one checkpoint write to stable storage. Asked again after every change; its answer depends
 * on what it was asked only. For one thread.
 */
public interface DrainPlan {
    /**
     * The ranks that may write now, those already writing included.
     *
     * @param stored ranks whose state is durable; never fewer than before
     * @param network as it is now
     * @return empty only if every rank is stored
     */
    List<Integer> writers(Set<Integer> stored, Network network);

    /** The most ranks that write at once, so far. */
    int groupSize();

    /** Why so many write at once, with the numbers it was decided by; for people. */
    String why();
}
