// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The storage nodes of a cluster, as they announce themselves. Thread-safe.
 *
 * @param marks the live settings in which those that are to leave are keys
 */
record MemberNodes(Supplier<Map<NodeId, Member>> members, Supplier<Map<String, String>> marks) implements LiveNodes {
    @Override
    public Map<NodeId, Double> weights() {
        Map<NodeId, Double> weights = new HashMap<>();
        members.get().forEach((node, member) -> weights.put(node, weight(member)));
        return weights;
    }

    private static double weight(Member member) {
        return member.attribute(StripedStore.CAPACITY_ATTRIBUTE)
                .map(Double::valueOf)
                .orElse(1.0);
    }

    @Override
    public Set<NodeId> retiring() {
        return marks.get().keySet().stream().map(NodeId::new).collect(Collectors.toUnmodifiableSet());
    }

    /** The safest of what the nodes are set to, should they differ. */
    @Override
    public int parityUnits() {
        return members.get().values().stream()
                .flatMap(member -> member.attribute(StripedStore.PARITY_ATTRIBUTE).stream())
                .mapToInt(Integer::parseInt)
                .max()
                .orElseGet(LiveNodes.super::parityUnits);
    }
}
