// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Ranks in groups of one size, in rank order; what is left over is a last, smaller group (P3: an odd node is handled on
 * its own). Inside a group all write at once; the next group starts when the last of this one is stored.
 */
final class StripeGroups implements DrainPlan {
    private final List<Integer> ranks;
    private final int groupSize;
    private final String why;
    private final Set<Integer> stored = new HashSet<>();
    private final Set<Integer> writing = new HashSet<>();
    private int begun;

    StripeGroups(List<Integer> ranks, int groupSize, String why) {
        if (groupSize < 1) {
            throw new IllegalArgumentException("a stripe group of " + groupSize + " ranks; at least 1");
        }
        this.ranks = List.copyOf(ranks);
        this.groupSize = groupSize;
        this.why = why;
    }

    /** The group size was chosen when the checkpoint began; what the network does meanwhile changes nothing. */
    @Override
    public List<Integer> next(Network network) {
        while (writing.isEmpty() && begun < ranks.size()) {
            List<Integer> group = ranks.subList(begun, begun + Math.min(groupSize, ranks.size() - begun));
            begun += group.size();
            writing.addAll(group);
            writing.removeAll(stored);
            if (!writing.isEmpty()) {
                return group.stream().filter(writing::contains).toList();
            }
        }
        return List.of();
    }

    @Override
    public void stored(int rank) {
        stored.add(rank);
        writing.remove(rank);
    }

    @Override
    public int writing() {
        return writing.size();
    }

    @Override
    public int groupSize() {
        return groupSize;
    }

    @Override
    public String why() {
        return why;
    }
}
