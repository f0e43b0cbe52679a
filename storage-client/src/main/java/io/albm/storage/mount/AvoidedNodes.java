// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.core.node.NodeId;
import io.albm.storage.StorageException;
import java.util.HashSet;
import java.util.Set;

/** Nodes that have failed a write, and are left out when it is done anew: two at most. Not thread-safe. */
final class AvoidedNodes {
    private static final int MOST = 2;

    private final Set<NodeId> nodes = new HashSet<>();

    Set<NodeId> nodes() {
        return nodes;
    }

    /** @throws StorageException the failure itself, if it is no node's, or there are too many */
    void add(StorageException failure) throws StorageException {
        NodeId culprit = failure.node().orElseThrow(() -> failure);
        if (nodes.size() == MOST || !nodes.add(culprit)) {
            throw failure;
        }
    }
}
