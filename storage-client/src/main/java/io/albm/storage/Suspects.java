// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Nodes that the readers of a file leave out, so that one which does not answer costs its deadline once and not once per read.
 * A node that cannot be reached is left out at once, one that was too slow at the third time in a row. It is asked again after
 * {@value #READS} reads, or once it has answered somebody who could not do without it. Counts reads, not time. Thread-safe.
 */
final class Suspects {
    /** Slow answers in a row after which a node is left out. */
    private static final int SLOW = 3;

    /** Reads that do without a node that is left out. */
    private static final int READS = 256;

    private final Map<NodeId, Integer> slowInARow = new ConcurrentHashMap<>();
    private final Map<NodeId, Integer> readsLeftOut = new ConcurrentHashMap<>();

    /** Whether a read is to do without a node. */
    boolean isLeftOut(NodeId node) {
        return !readsLeftOut.isEmpty()
                && readsLeftOut.computeIfPresent(node, (left, reads) -> reads > 1 ? reads - 1 : null) != null;
    }

    void answered(NodeId node) {
        if (!slowInARow.isEmpty()) {
            slowInARow.remove(node);
            readsLeftOut.remove(node);
        }
    }

    void slow(NodeId node) {
        if (slowInARow.merge(node, 1, Integer::sum) >= SLOW) {
            readsLeftOut.put(node, READS);
        }
    }

    /** If it does not answer the next time either, it is left out again at once. */
    void unreachable(NodeId node) {
        slowInARow.put(node, SLOW);
        readsLeftOut.put(node, READS);
    }
}
