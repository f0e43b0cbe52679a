// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.policy;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Takes the best of the nodes with room, by one order; the id decides between equals, so that the order in which nodes
 * are listed never does.
 */
final class RankingPolicy implements PlacementPolicy {
    private final Comparator<Candidate> order;
    private final Function<Candidate, String> reason;

    RankingPolicy(Comparator<Candidate> order, Function<Candidate, String> reason) {
        this.order = order.thenComparing(candidate -> candidate.before().node().value());
        this.reason = reason;
    }

    /**
     * A node with room.
     *
     * @param before as it is
     * @param after with the container
     */
    record Candidate(NodeLoad before, NodeLoad after) {}

    @Override
    public Placement place(Container container, List<NodeLoad> nodes) {
        return nodes.stream()
                .filter(node -> node.hasRoomFor(container))
                .map(node -> new Candidate(node, node.with(container)))
                .min(order)
                .<Placement>map(best -> new Placement.Placed(best.before().node(), reason.apply(best)))
                .orElseGet(() -> new Placement.Refused(refusal(container, nodes)));
    }

    private static String refusal(Container container, List<NodeLoad> nodes) {
        long most = nodes.stream().mapToLong(NodeLoad::freeBytes).max().orElse(0);
        return "needs %s, the freest of %d nodes has %s"
                .formatted(Mebibytes.of(container.reservedBytes()), nodes.size(), Mebibytes.of(most));
    }
}
