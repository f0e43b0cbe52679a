// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;

/**
 * Keeps the least of n changing counts at hand: a change and a draw each cost log n, where a scan for every request
 * would cost n.
 *
 * <p>A binary tree in an array. A leaf holds a count; a node above holds the least count below it and how many leaves have
 * it, both in one word. A change climbs until a node is right already; a draw descends by the number of least leaves on
 * each side, so that each of them is as likely.
 *
 * <p>Lock-free. A node is recomputed from its children by compare-and-set; whoever loses tries again and then sees the
 * other's change too. Between two threads a node may be wrong for a moment, so a draw may miss the least by what has
 * changed just now: the picks of two threads at the same moment cannot know of each other anyway.
 */
final class LeastTree {
    private static final int ATTEMPTS = 3;
    private static final long NO_LEAF = pack(Integer.MAX_VALUE, 0);

    private final int leaves;
    private final AtomicLongArray nodes;

    /** A tree of that many counts, all 0. */
    LeastTree(int counts) {
        this.leaves = Math.max(1, Integer.highestOneBit(Math.max(1, counts - 1)) << 1);
        this.nodes = new AtomicLongArray(2 * leaves);
        for (int i = 0; i < leaves; i++) {
            nodes.set(leaves + i, i < counts ? pack(0, 1) : NO_LEAF);
        }
        for (int node = leaves - 1; node >= 1; node--) {
            nodes.set(node, joined(node));
        }
    }

    /** Sets a count. */
    void set(int leaf, int count) {
        int node = leaves + leaf;
        nodes.set(node, pack(count, 1));
        while (node > 1) {
            node >>= 1;
            if (!refresh(node)) {
                return;
            }
        }
    }

    private boolean refresh(int node) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long before = nodes.get(node);
            long now = joined(node);
            if (before == now) {
                return false;
            }
            if (nodes.compareAndSet(node, before, now)) {
                return true;
            }
        }
        return true;
    }

    private long joined(int node) {
        long left = nodes.get(2 * node);
        long right = nodes.get(2 * node + 1);
        if (count(left) != count(right)) {
            return count(left) < count(right) ? left : right;
        }
        return pack(count(left), ties(left) + ties(right));
    }

    /** One of those with the least count, each as likely. */
    int draw(RandomGenerator random) {
        int node = 1;
        while (node < leaves) {
            node = 2 * node + side(nodes.get(2 * node), nodes.get(2 * node + 1), random);
        }
        return node - leaves;
    }

    private static int side(long left, long right, RandomGenerator random) {
        if (count(left) != count(right)) {
            return count(left) < count(right) ? 0 : 1;
        }
        int all = ties(left) + ties(right);
        return all > 1 && random.nextInt(all) >= ties(left) ? 1 : 0;
    }

    int count(int leaf) {
        return count(nodes.get(leaves + leaf));
    }

    private static int count(long node) {
        return (int) (node >> Integer.SIZE);
    }

    private static int ties(long node) {
        return (int) node;
    }

    private static long pack(int count, int ties) {
        return ((long) count << Integer.SIZE) | ties;
    }
}
