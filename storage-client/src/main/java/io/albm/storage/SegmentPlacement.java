// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Which nodes the striped store gives a segment, and what of it moves when a node comes or goes, without a store: for
 * simulations and for planning. It decides nothing by itself but asks the classes that the store asks,
 * {@link RendezvousPlacement} and {@link RelocationPlan}. A choice costs one hash per node. Immutable and free to share.
 */
public final class SegmentPlacement {
    private final List<RendezvousPlacement.Candidate> nodes;
    private final Function<NodeId, FailureDomain> domains;

    /**
     * The placement over nodes that may take blocks, each of which is a failure domain by itself.
     *
     * @param weights each node with its relative share of new blocks, above 0; in practice its capacity
     * @throws IllegalArgumentException if a weight is not a number above 0
     */
    public SegmentPlacement(Map<NodeId, Double> weights) {
        this(weights, FailureDomain::of);
    }

    /**
     * The placement over nodes that may take blocks.
     *
     * @param weights each node with its relative share of new blocks, above 0; in practice its capacity
     * @param domains what each node fails with, those included that segments lie on and that take no blocks
     * @throws IllegalArgumentException if a weight is not a number above 0
     */
    public SegmentPlacement(Map<NodeId, Double> weights, Function<NodeId, FailureDomain> domains) {
        this.domains = domains;
        this.nodes = weights.entrySet().stream()
                .map(node ->
                        new RendezvousPlacement.Candidate(node.getKey(), node.getValue(), domains.apply(node.getKey())))
                .toList();
    }

    /**
     * The nodes of a new segment in layout order. The choice for fewer nodes is the beginning of the choice for more. In as many
     * failure domains as there are, and in none more than M if the segment has as many parity units and is no wider than that allows.
     *
     * @param width how many, 1 or more: K + M
     * @return fewer if there are not as many
     */
    public List<NodeId> choose(Generation segment, int width) {
        return RendezvousPlacement.choose(segment, nodes, width);
    }

    /**
     * The node whose part of a segment moves to a node that has joined.
     *
     * @param joined one of the nodes of this placement
     * @return empty if nothing moves
     */
    public Optional<NodeId> giver(NodeId joined, Segment segment) {
        try {
            return RelocationPlan.onto(joined, nodes, domains)
                    .of(segment.generation(), segment)
                    .map(Relocation.Move::from);
        } catch (StorageException e) {
            throw new IllegalStateException("a node that joins takes only what it can", e);
        }
    }

    /**
     * The node that takes a leaving node's part of a segment.
     *
     * @param leaving a node that is not one of this placement any more
     * @return empty if the segment has nothing on it
     * @throws StorageException.NoReplacement if all nodes of this placement hold a part of the segment already
     */
    public Optional<NodeId> taker(NodeId leaving, Segment segment) throws StorageException {
        return RelocationPlan.off(leaving, nodes, domains, null)
                .of(segment.generation(), segment)
                .map(Relocation.Move::to);
    }
}
