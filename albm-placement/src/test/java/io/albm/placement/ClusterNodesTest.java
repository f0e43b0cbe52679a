// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.placement.policy.NodeLoad;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ClusterNodesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aNodeIsWhatItsAgentAndItsCountersSayTogether() {
        List<NodeLoad> nodes = ClusterNodes.of(
                List.of(agent("agent-1", Map.of("host", "rack-1", "memory-bytes", "1000"))),
                Map.of(new NodeId("rack-1"), report("rack-1", 400, 200)));
        assertThat(nodes).singleElement().satisfies(node -> {
            assertThat(node.node()).isEqualTo(new NodeId("rack-1"));
            assertThat(node.capacityBytes()).isEqualTo(1000);
            assertThat(node.freeBytes()).isEqualTo(400);
            assertThat(node.memoryPressure()).isEqualTo(0.1);
        });
    }

    @Test
    void pressureNeverExceedsAllOfTheTime() {
        List<NodeLoad> nodes = ClusterNodes.of(
                List.of(agent("a", Map.of("memory-bytes", "1000"))), Map.of(new NodeId("a"), report("a", 2000, 1e9)));
        assertThat(nodes.getFirst().memoryPressure()).isEqualTo(1);
        assertThat(nodes.getFirst().usedByOthersBytes()).isZero();
    }

    @Test
    void whoIsSilentOrSaysNoMemoryIsNoNode() {
        assertThat(ClusterNodes.of(List.of(agent("a", Map.of("memory-bytes", "1"))), Map.of()))
                .isEmpty();
        assertThat(ClusterNodes.of(List.of(agent("a", Map.of())), Map.of(new NodeId("a"), report("a", 1, 0))))
                .isEmpty();
    }

    @Test
    void nodesAreListedByName() {
        List<NodeLoad> nodes = ClusterNodes.of(
                List.of(agent("b", Map.of("memory-bytes", "1")), agent("a", Map.of("memory-bytes", "1"))),
                Map.of(new NodeId("a"), report("a", 1, 0), new NodeId("b"), report("b", 1, 0)));
        assertThat(nodes).extracting(node -> node.node().value()).containsExactly("a", "b");
    }

    private static Member agent(String id, Map<String, String> attributes) {
        return new Member(new NodeId(id), Role.AGENT, Map.of(), attributes, "test", NOW);
    }

    private static CounterReport report(String host, long availableBytes, double pageReads) {
        CounterSample sample = new CounterSample(availableBytes, pageReads, 0, 0, 0, 0);
        return new CounterReport(new NodeId(host), sample, new HostHealth.Serving(), 1, NOW);
    }
}
