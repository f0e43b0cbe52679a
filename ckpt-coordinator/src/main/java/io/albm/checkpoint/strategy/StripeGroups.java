// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.util.List;
import java.util.Set;

/**
 * Ranks in groups of one size, in rank order; what is left over is a last, smaller group (P3: an odd node is handled on
 * its own). Inside a group all write at once; the next group starts when the last of this one is stored.
 */
record StripeGroups(List<Integer> ranks, int groupSize, String why) implements DrainPlan {
    StripeGroups {
        ranks = List.copyOf(ranks);
        if (groupSize < 1) {
            throw new IllegalArgumentException("a stripe group of " + groupSize + " ranks; at least 1");
        }
    }

    /** The group size was chosen when the checkpoint began; what the network does meanwhile changes nothing. */
    @Override
    public List<Integer> writers(Set<Integer> stored, Network network) {
        for (int first = 0; first < ranks.size(); first += groupSize) {
            List<Integer> group = ranks.subList(first, Math.min(first + groupSize, ranks.size()));
            if (!stored.containsAll(group)) {
                return group;
            }
        }
        return List.of();
    }
}
