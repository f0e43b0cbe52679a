// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterPlanTest {
    private static final ClusterSpec SPEC = ClusterSpec.of("local", Path.of(".albm"), Path.of("docs"));

    @Test
    void everyCacheServerHasAnAgentThatReportsForIt() {
        List<ProcessSpec> all = all(SPEC.sized(2, 1));
        assertThat(all)
                .extracting(ProcessSpec::id)
                .containsExactlyInAnyOrder(
                        "zookeeper",
                        "storage-1",
                        "cache-1",
                        "agent-1",
                        "cache-2",
                        "agent-2",
                        "distributor",
                        "coordinator",
                        "console");
        assertThat(all)
                .filteredOn(process -> process.role() == Role.AGENT)
                .allSatisfy(agent -> assertThat(agent.settings())
                        .containsEntry("host", agent.id().replace("agent", "cache"))
                        .doesNotContainKey("port"));
    }

    @Test
    void documentedPortsDoNotMeet() {
        assertThat(all(SPEC.sized(99, 99)).stream()
                        .flatMap(process -> process.ports().values().stream())
                        .toList())
                .doesNotHaveDuplicates()
                .contains(2181, 3181, 8080, 9080, 8090, 8101, 9101, 8201, 8300);
    }

    @Test
    void freePortsAreLeftToTheKernel() {
        assertThat(all(SPEC.onFreePorts()))
                .allSatisfy(process -> assertThat(process.ports().values()).containsOnly(0));
    }

    @Test
    void everyProcessButZooKeeperKnowsZooKeeper() {
        assertThat(all(SPEC).stream()
                        .map(process -> process.settings().get("zookeeper"))
                        .filter(Objects::nonNull))
                .hasSize(all(SPEC).size() - 1)
                .containsOnly("127.0.0.1:2181");
    }

    @Test
    void settingsOfARoleReachAllItsProcesses() {
        assertThat(all(SPEC.with(Role.CACHE_SERVER, "policy", "lru").with(Role.CACHE_SERVER, "capacity", "1 MiB")))
                .filteredOn(process -> process.role() == Role.CACHE_SERVER)
                .hasSize(3)
                .allSatisfy(cache -> assertThat(cache.settings())
                        .containsEntry("policy", "lru")
                        .containsEntry("capacity", "1 MiB"));
    }

    @Test
    void aRestartStaysWhereItWas() {
        ProcessSpec cache = all(SPEC.onFreePorts()).stream()
                .filter(process -> process.id().equals("cache-1"))
                .findFirst()
                .orElseThrow();
        Map<String, NodeAddress> announced =
                Map.of("http", new NodeAddress("127.0.0.1", 4711), "admin", new NodeAddress("127.0.0.1", 4712));
        assertThat(cache.at(announced).ports()).containsEntry("port", 4711).containsEntry("admin-port", 4712);
    }

    @Test
    void refusesACountOrNameThatCannotBe() {
        assertThatIllegalArgumentException().isThrownBy(() -> SPEC.sized(-1, 5)).withMessageContaining("cache servers");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SPEC.sized(3, 100))
                .withMessageContaining("storage nodes");
        assertThatIllegalArgumentException().isThrownBy(() -> ClusterSpec.of("../x", Path.of("."), Path.of(".")));
    }

    @Test
    void theRecordSurvivesTheRoundTrip(@TempDir Path directory) throws Exception {
        ClusterFile file = new ClusterFile(
                "local",
                "127.0.0.1:2181",
                Instant.parse("2026-01-02T03:04:05Z"),
                List.of(new ClusterProcess(
                        "cache-1", Role.CACHE_SERVER, 4711, 12, Map.of("http", new NodeAddress("127.0.0.1", 1)), "x")));
        assertThat(ClusterFile.read(directory)).isEmpty();
        file.write(directory);
        assertThat(ClusterFile.read(directory)).hasValue(file);
        ClusterFile.delete(directory);
        assertThat(ClusterFile.read(directory)).isEmpty();
    }

    private static List<ProcessSpec> all(ClusterSpec spec) {
        ClusterPlan plan = new ClusterPlan(spec);
        List<ProcessSpec> all = new ArrayList<>(plan.others("127.0.0.1:2181"));
        all.add(plan.zooKeeper());
        return all;
    }
}
