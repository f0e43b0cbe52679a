// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Storage nodes that come, go, or take each other's place, and what moves for that. */
final class NodeChanges {
    private final StripedFiles files;

    NodeChanges(StripedFiles files) {
        this.files = files;
    }

    /**
     * Moves what a node holds to other nodes; what it does not give is made from the others.
     *
     * @param onto the node to move to; null chooses one for each segment
     */
    CompletableFuture<ScrubReport> replace(NodeId node, @Nullable NodeId onto, ScrubProgress.Listener listener) {
        return Relocation.run(files.background(), RelocationPlan.off(node, takersBut(node), onto), listener);
    }

    /** Moves to a node that has joined what rendezvous hashing gives it of what is stored. */
    CompletableFuture<ScrubReport> fill(NodeId node, ScrubProgress.Listener listener) {
        return Relocation.run(files.background(), RelocationPlan.onto(node, files.takers()), listener);
    }

    /** Fails with {@link StorageException.CannotRetire} if a node cannot leave, see {@link Retirement}. */
    CompletableFuture<Void> checkRetirement(NodeId node) {
        List<NodeId> staying = takersBut(node).stream()
                .map(RendezvousPlacement.Candidate::node)
                .toList();
        return files.list("/")
                .thenCompose(all -> files.space().thenCompose(space -> {
                    try {
                        new Retirement(node, staying, all, space)
                                .check(files.live().parityUnits());
                        return CompletableFuture.completedFuture(null);
                    } catch (StorageException refused) {
                        return CompletableFuture.failedFuture(refused);
                    }
                }));
    }

    private List<RendezvousPlacement.Candidate> takersBut(NodeId node) {
        return files.takers().stream()
                .filter(taker -> !taker.node().equals(node))
                .toList();
    }
}
