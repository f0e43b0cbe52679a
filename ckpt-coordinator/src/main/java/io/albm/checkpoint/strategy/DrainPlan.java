// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.util.List;

/**
 * The order in which the ranks of one checkpoint write to stable storage. It keeps who has begun; its answers depend on what it
 * was told and asked only. All calls for one checkpoint together cost O(ranks). For one thread.
 */
public interface DrainPlan {
    /**
     * Ranks that may begin to write now. Each is named once; together with {@link #stored} it is asked until all are stored.
     *
     * @param network as it is now
     * @return empty only if somebody writes or every rank is stored
     */
    List<Integer> next(Network network);

    /** A rank's state is durable, whether it was named before or, as for a plan of a new leader, not. To be said once of each. */
    void stored(int rank);

    /** Ranks that write now. */
    int writing();

    /** The most ranks that write at once, so far. */
    int groupSize();

    /** Why so many write at once, with the numbers it was decided by; for people. */
    String why();
}
