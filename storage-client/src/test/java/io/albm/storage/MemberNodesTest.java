// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MemberNodesTest {
    @Test
    void takesTheHighestParityThatANodeIsSetTo() {
        assertThat(nodes(Map.of("parity-units", "0"), Map.of("parity-units", "2"), Map.of())
                        .parityUnits())
                .isEqualTo(2);
        assertThat(nodes(Map.of("parity-units", "0")).parityUnits()).isZero();
    }

    @Test
    void takesOneParityUnitWhereNoNodeSaysIt() {
        assertThat(nodes(Map.of()).parityUnits()).isEqualTo(1);
    }

    @Test
    void weighsNodesByCapacity() {
        assertThat(nodes(Map.of("capacity-bytes", "5"), Map.of()).weights())
                .isEqualTo(Map.of(new NodeId("n-0"), 5.0, new NodeId("n-1"), 1.0));
    }

    @Test
    void takesANodeForADomainByItselfUnlessItSaysOtherwise() {
        MemberNodes nodes = nodes(Map.of("failure-domain", "rack-7"), Map.of());
        assertThat(nodes.domain(new NodeId("n-0"))).hasToString("rack-7");
        assertThat(nodes.domain(new NodeId("n-1"))).hasToString("n-1");
        assertThat(nodes.domain(new NodeId("n-9"))).as("of no member").hasToString("n-9");
    }

    @Test
    void seesWhatMembersSayNow() {
        AtomicReference<Map<NodeId, Member>> members = new AtomicReference<>(Map.of());
        MemberNodes nodes = new MemberNodes(members::get, Map::of);
        assertThat(nodes.weights()).isEmpty();
        members.set(members(Map.of("failure-domain", "rack-7", "capacity-bytes", "5")));
        assertThat(nodes.weights()).isEqualTo(Map.of(new NodeId("n-0"), 5.0));
        assertThat(nodes.domain(new NodeId("n-0"))).hasToString("rack-7");
        members.set(members(Map.of("failure-domain", "rack-8", "parity-units", "2")));
        assertThat(nodes.domain(new NodeId("n-0"))).hasToString("rack-8");
        assertThat(nodes.parityUnits()).isEqualTo(2);
    }

    @Test
    void tellsWhichNodesAreToLeave() {
        assertThat(nodes(Map.of()).retiring()).containsExactly(new NodeId("n-7"));
    }

    @SafeVarargs
    private static MemberNodes nodes(Map<String, String>... attributes) {
        Map<NodeId, Member> members = members(attributes);
        return new MemberNodes(() -> members, () -> Map.of("n-7", "2026-01-02T03:04:05Z"));
    }

    @SafeVarargs
    private static Map<NodeId, Member> members(Map<String, String>... attributes) {
        Map<NodeId, Member> members = new HashMap<>();
        for (Map<String, String> of : attributes) {
            NodeId id = new NodeId("n-" + members.size());
            members.put(id, new Member(id, Role.STORAGE_NODE, Map.of(), of, "test", Instant.EPOCH));
        }
        return members;
    }
}
