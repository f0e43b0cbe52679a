// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.policy;

import java.util.Comparator;

/**
 * The node with the fewest containers, and of those the one with the most free memory: what Docker Swarm does, and
 * paper P4's baseline. It counts containers, and so cannot see that two of them want the same memory.
 */
final class Spread {
    private Spread() {}

    static PlacementPolicy policy() {
        return new RankingPolicy(
                Comparator.comparingInt((RankingPolicy.Candidate candidate) ->
                                candidate.before().containers().size())
                        .thenComparing(candidate -> candidate.before().freeBytes(), Comparator.reverseOrder()),
                candidate -> "has the fewest containers, %d, and %s free"
                        .formatted(
                                candidate.before().containers().size(),
                                Mebibytes.of(candidate.before().freeBytes())));
    }
}
