// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Data is lost when more than M nodes of any segment are down at once. So a segment is critical while M of its nodes are,
 * and the failure of any of its others is fatal. Which segments those are is found for each M of the nodes that are down by
 * intersecting the nodes' lists of segments, and remembered within a bound. For one thread.
 */
final class CriticalSegments implements LossRule {
    /** 16 MiB of remembered sets. */
    private static final long MOST_REMEMBERED_BITS = 1 << 27;

    private final int[][] segments;
    private final int nodes;
    private final int width;
    private final int bearable;
    /** By node, ascending. */
    private final int[][] segmentsOf;

    private final Map<Long, Completion> remembered = new HashMap<>();

    /** @param nodes whose failure completes a loss while M certain ones are down, because of so many segments */
    private record Completion(BitSet nodes, int segments) {}

    /**
     * Losses of segments in a layout.
     *
     * @param segments by segment, at least K + M distinct numbers of nodes, of which the first K + M count
     * @param nodes how many nodes there are
     */
    CriticalSegments(int[][] segments, int nodes, Layout layout) {
        this.segments = segments;
        this.nodes = nodes;
        this.width = layout.width();
        this.bearable = layout.bearable();
        this.segmentsOf = segmentsOf();
    }

    private int[][] segmentsOf() {
        int[] counts = new int[nodes];
        for (int[] segment : segments) {
            for (int i = 0; i < width; i++) {
                counts[segment[i]]++;
            }
        }
        int[][] lists = Arrays.stream(counts).mapToObj(int[]::new).toArray(int[][]::new);
        for (int segment = segments.length - 1; segment >= 0; segment--) {
            for (int i = 0; i < width; i++) {
                int node = segments[segment][i];
                lists[node][--counts[node]] = segment;
            }
        }
        return lists;
    }

    @Override
    public Exposure exposure(BitSet down) {
        if (down.cardinality() < bearable) {
            return Exposure.NONE;
        }
        Union union = new Union();
        union.addSubsets(down.stream().toArray(), 0, new int[0]);
        return union.exposure();
    }

    private Completion completion(int[] subset) {
        long key = 0;
        for (int node : subset) {
            key = key * nodes + node;
        }
        Completion known = remembered.get(key);
        if (known == null) {
            known = find(subset);
            if ((remembered.size() + 1L) * nodes <= MOST_REMEMBERED_BITS) {
                remembered.put(key, known);
            }
        }
        return known;
    }

    private Completion find(int[] subset) {
        BitSet others = new BitSet(nodes);
        int[] common = common(subset);
        for (int segment : common) {
            for (int i = 0; i < width; i++) {
                others.set(segments[segment][i]);
            }
        }
        for (int node : subset) {
            others.clear(node);
        }
        return new Completion(others, common.length);
    }

    /** The segments that lie on all of these nodes, and on others. */
    private int[] common(int[] subset) {
        if (subset.length == 0) {
            int[] all = new int[segments.length];
            Arrays.setAll(all, segment -> segment);
            return all;
        }
        int[] common = segmentsOf[subset[0]];
        for (int i = 1; i < subset.length; i++) {
            common = intersection(common, segmentsOf[subset[i]]);
        }
        return common;
    }

    private static int[] intersection(int[] left, int[] right) {
        int[] both = new int[Math.min(left.length, right.length)];
        int found = 0;
        for (int l = 0, r = 0; l < left.length && r < right.length; ) {
            if (left[l] == right[r]) {
                both[found++] = left[l];
            }
            int low = left[l];
            l += low <= right[r] ? 1 : 0;
            r += right[r] <= low ? 1 : 0;
        }
        return Arrays.copyOf(both, found);
    }

    /** Over all M of the nodes that are down. No segment counts twice, as none has more than M nodes down. */
    private final class Union {
        private final BitSet fatal = new BitSet(nodes);
        private long criticalSegments;

        void addSubsets(int[] down, int from, int[] chosen) {
            if (chosen.length == bearable) {
                Completion completion = completion(chosen);
                fatal.or(completion.nodes());
                criticalSegments += completion.segments();
                return;
            }
            for (int i = from; i < down.length; i++) {
                int[] more = Arrays.copyOf(chosen, chosen.length + 1);
                more[chosen.length] = down[i];
                addSubsets(down, i + 1, more);
            }
        }

        Exposure exposure() {
            int nodesThatWouldLose = fatal.cardinality();
            double lostByEach =
                    nodesThatWouldLose == 0 ? 0 : (double) criticalSegments * (width - bearable) / nodesThatWouldLose;
            return new Exposure(fatal, lostByEach);
        }
    }
}
