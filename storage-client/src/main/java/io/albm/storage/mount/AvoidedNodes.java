// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.core.node.NodeId;
import io.albm.storage.StorageException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Nodes that have failed a write, and are left out when it is begun anew: four times in all. If too few are left, the one that was
 * left out first is written to again: one of them may have failed for a moment only. Not thread-safe.
 */
final class AvoidedNodes {
    private static final int MOST_FAILURES = 3;

    private final Set<NodeId> nodes = new LinkedHashSet<>();
    private int failures;

    Set<NodeId> nodes() {
        return nodes;
    }

    /** @throws StorageException the failure itself, if it is no node's, or there were too many */
    void add(StorageException failure) throws StorageException {
        if (failure instanceof StorageException.TooFewNodes && !nodes.isEmpty()) {
            nodes.remove(nodes.iterator().next());
            return;
        }
        NodeId culprit = failure.node().orElseThrow(() -> failure);
        if (failures == MOST_FAILURES || !nodes.add(culprit)) {
            throw failure;
        }
        failures++;
    }
}
