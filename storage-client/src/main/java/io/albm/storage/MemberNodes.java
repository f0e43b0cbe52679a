// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The storage nodes of a cluster, as they announce themselves. Thread-safe. */
final class MemberNodes implements LiveNodes {
    private final Supplier<Map<NodeId, Member>> members;
    private final Supplier<Map<String, String>> marks;
    private volatile Known known = Known.of(Map.of());

    /** What members say about themselves. Every new segment asks it of all of them, so each change of theirs is read once. */
    private record Known(
            Map<NodeId, Member> members,
            Map<NodeId, Double> weights,
            Map<NodeId, FailureDomain> domains,
            OptionalInt parityUnits) {
        static Known of(Map<NodeId, Member> members) {
            Map<NodeId, Double> weights = new HashMap<>();
            Map<NodeId, FailureDomain> domains = new HashMap<>();
            members.forEach((node, member) -> {
                weights.put(node, weight(member));
                domains.put(node, domainOf(member));
            });
            return new Known(members, Map.copyOf(weights), Map.copyOf(domains), mostParityUnits(members));
        }

        private static double weight(Member member) {
            return member.attribute(StripedStore.CAPACITY_ATTRIBUTE)
                    .map(Double::valueOf)
                    .orElse(1.0);
        }

        private static FailureDomain domainOf(Member member) {
            return member.attribute(StripedStore.DOMAIN_ATTRIBUTE)
                    .map(FailureDomain::new)
                    .orElseGet(() -> FailureDomain.of(member.id()));
        }

        private static OptionalInt mostParityUnits(Map<NodeId, Member> members) {
            return members.values().stream()
                    .flatMap(member -> member.attribute(StripedStore.PARITY_ATTRIBUTE).stream())
                    .mapToInt(Integer::parseInt)
                    .max();
        }
    }

    /**
     * @param members an immutable map, another one after each change
     * @param marks the live settings in which those that are to leave are keys
     */
    MemberNodes(Supplier<Map<NodeId, Member>> members, Supplier<Map<String, String>> marks) {
        this.members = members;
        this.marks = marks;
    }

    @SuppressWarnings("ReferenceEquality") // another map after each change
    private Known known() {
        Map<NodeId, Member> now = members.get();
        Known last = known;
        if (last.members() != now) {
            last = Known.of(now);
            known = last;
        }
        return last;
    }

    @Override
    public Map<NodeId, Double> weights() {
        return known().weights();
    }

    @Override
    public FailureDomain domain(NodeId node) {
        FailureDomain told = known().domains().get(node);
        return told == null ? FailureDomain.of(node) : told;
    }

    @Override
    public Set<NodeId> retiring() {
        return marks.get().keySet().stream().map(NodeId::new).collect(Collectors.toUnmodifiableSet());
    }

    /** The safest of what the nodes are set to, should they differ. */
    @Override
    public int parityUnits() {
        return known().parityUnits().orElseGet(LiveNodes.super::parityUnits);
    }
}
