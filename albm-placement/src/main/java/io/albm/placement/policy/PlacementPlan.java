// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.policy;

import io.albm.core.node.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a list of containers would go, one after the other.
 *
 * @param steps the answer for each container, in the order asked
 * @param nodes the nodes with what was placed
 */
public record PlacementPlan(List<Step> steps, List<NodeLoad> nodes) {
    public PlacementPlan {
        steps = List.copyOf(steps);
        nodes = List.copyOf(nodes);
    }

    /** One container and where it goes. */
    public record Step(Container container, Placement placement) {}

    /** Places {@code containers} in their order; each sees those before it. */
    public static PlacementPlan of(PlacementPolicy policy, List<Container> containers, List<NodeLoad> nodes) {
        List<Step> steps = new ArrayList<>();
        List<NodeLoad> now = new ArrayList<>(nodes);
        for (Container container : containers) {
            Placement placement = policy.place(container, now);
            steps.add(new Step(container, placement));
            switch (placement) {
                case Placement.Placed placed -> now.replaceAll(node -> after(node, placed.node(), container));
                case Placement.Refused refused -> {}
            }
        }
        return new PlacementPlan(steps, now);
    }

    private static NodeLoad after(NodeLoad node, NodeId chosen, Container container) {
        return node.node().equals(chosen) ? node.with(container) : node;
    }

    /** Whether every container has a node. */
    public boolean isComplete() {
        return steps.stream().allMatch(step -> step.placement() instanceof Placement.Placed);
    }
}
