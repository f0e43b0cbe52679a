// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Storage nodes that come, go, take each other's place, or are in other failure domains by now, and what moves for that. */
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
        return Relocation.run(files.background(), off(node, onto), listener);
    }

    private RelocationPlan off(NodeId node, @Nullable NodeId onto) {
        return RelocationPlan.off(node, takersBut(node), domains(), onto);
    }

    /** Moves to a node that has joined what rendezvous hashing gives it of what is stored. */
    CompletableFuture<ScrubReport> fill(NodeId node, ScrubProgress.Listener listener) {
        return Relocation.run(files.background(), RelocationPlan.onto(node, files.takers(), domains()), listener);
    }

    /** Moves units that are more than may be lost of a failure domain to others. */
    CompletableFuture<ScrubReport> spread(ScrubProgress.Listener listener) {
        return Relocation.run(files.background(), RelocationPlan.apart(files.takers(), domains()), listener);
    }

    /** Fails with {@link StorageException.CannotRetire} if a node cannot leave, see {@link Retirement}. */
    CompletableFuture<Void> checkRetirement(NodeId node) {
        List<NodeId> staying = takersBut(node).stream()
                .map(RendezvousPlacement.Candidate::node)
                .toList();
        return files.list("/")
                .thenCompose(all -> files.space().thenCompose(space -> {
                    try {
                        new Retirement(node, staying, all, off(node, null).crowds(all, domains()), space)
                                .check(files.live().parityUnits());
                        return CompletableFuture.completedFuture(null);
                    } catch (StorageException refused) {
                        return CompletableFuture.failedFuture(refused);
                    }
                }));
    }

    /**
     * Fails with {@link StorageException.CannotReplace} if a node cannot take another one's place without files being less safe than they
     * are.
     */
    CompletableFuture<Void> checkReplacement(NodeId node, NodeId onto) {
        return files.list("/").thenCompose(all -> {
            long crowded = off(node, onto).crowds(all, domains());
            return crowded == 0
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(new StorageException.CannotReplace(
                            node,
                            onto,
                            crowded + " of its files would have more units in failure domain "
                                    + files.live().domain(onto) + " than may be lost"));
        });
    }

    private Function<NodeId, FailureDomain> domains() {
        return files.live()::domain;
    }

    private List<RendezvousPlacement.Candidate> takersBut(NodeId node) {
        return files.takers().stream()
                .filter(taker -> !taker.node().equals(node))
                .toList();
    }
}
