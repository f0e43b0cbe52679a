// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says what of a segment moves where. Pure. */
@FunctionalInterface
interface RelocationPlan {
    /**
     * What moves of a segment.
     *
     * @param path a path of its file, for errors
     * @return empty if nothing does
     * @throws StorageException.NoReplacement if something should and no node can take it
     */
    Optional<Relocation.Move> of(String path, Segment segment) throws StorageException;

    /**
     * All that a node holds goes to others.
     *
     * @param takers the nodes that may take blocks
     * @param onto the one that takes all; null chooses one for each segment by rendezvous hashing
     */
    static RelocationPlan off(NodeId node, List<RendezvousPlacement.Candidate> takers, @Nullable NodeId onto) {
        return (path, segment) -> {
            if (!segment.liesOn(node)) {
                return Optional.empty();
            }
            List<RendezvousPlacement.Candidate> candidates = takers.stream()
                    .filter(taker -> !segment.liesOn(taker.node()) && (onto == null || onto.equals(taker.node())))
                    .toList();
            List<NodeId> chosen = RendezvousPlacement.choose(segment.generationId(), candidates, 1);
            if (chosen.isEmpty()) {
                throw new StorageException.NoReplacement(path, node);
            }
            return Optional.of(new Relocation.Move(node, chosen.getFirst()));
        };
    }

    /**
     * A node that has joined takes what it would have been given, had it been there: of each segment that rendezvous hashing
     * places on it, what the last choice of those that hold it has. Nodes that are not to take blocks are left alone.
     *
     * @param takers the nodes that may take blocks, the new one among them
     */
    static RelocationPlan onto(NodeId node, List<RendezvousPlacement.Candidate> takers) {
        return (path, segment) -> {
            List<RendezvousPlacement.Candidate> holders = takers.stream()
                    .filter(taker ->
                            segment.liesOn(taker.node()) || taker.node().equals(node))
                    .toList();
            NodeId last = RendezvousPlacement.choose(segment.generationId(), holders, holders.size())
                    .getLast();
            return segment.liesOn(node) || last.equals(node)
                    ? Optional.empty()
                    : Optional.of(new Relocation.Move(last, node));
        };
    }
}
