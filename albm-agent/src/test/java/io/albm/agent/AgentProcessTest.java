// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.cluster.Cluster;
import io.albm.core.node.CounterReport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent as a process of its own, against a real ZooKeeper. */
final class AgentProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final NodeId AGENT = new NodeId("agent-1");
    private static final NodeId HOST = new NodeId("cache-1");

    @TempDir
    Path directory;

    @Test
    void publishesCountersUnderItsHostUntilItIsToldToEnd() throws Exception {
        try (EmbeddedZooKeeper zooKeeper =
                        EmbeddedZooKeeper.start(directory.resolve("zookeeper"), new NodeAddress("127.0.0.1", 0));
                Cluster cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), "test")) {
            Process agent = start(zooKeeper.address());
            try {
                awaitReady(agent);
                CounterReport report = awaitReport(cluster);
                assertThat(report.sample().availableMemoryBytes()).isPositive();

                Member member = awaitMember(cluster);
                assertThat(member.attributes()).containsEntry("host", "cache-1").containsKey("memory-bytes");
                assertThat(page(member, "/metrics"))
                        .contains("albm_available_memory_bytes", "albm_established_connections");
                assertThat(page(member, "/orca")).matches("TEXT cpu_utilization=[01]\\.\\d{3},.*\n");
                assertThat(page(member, "/orca?format=json")).contains("\"application_utilization\"");
                assertThat(agentCheck(member)).matches("up ready \\d+%\n");

                cluster.configure("drain/" + HOST, "since", "now").join();
                await().atMost(PATIENCE).until(() -> agentCheck(member), "up drain\n"::equals);

                agent.destroy();
                assertThat(agent.waitFor()).isZero();
                await().atMost(PATIENCE)
                        .until(() -> cluster.counters().get().isEmpty()
                                && cluster.members(Role.AGENT).get().isEmpty());
            } finally {
                agent.destroyForcibly();
            }
        }
    }

    private Process start(NodeAddress zooKeeper) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AgentMain.class.getName(),
                        "run",
                        "--id=" + AGENT,
                        "--host=" + HOST,
                        "--cluster=test",
                        "--zookeeper=" + zooKeeper,
                        "--admin-port=0",
                        "--data=" + directory.resolve("agent"),
                        "--agent-check-port=0",
                        "--sample-interval=50ms",
                        "--heartbeat=1s")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitReady(Process agent) throws IOException {
        BufferedReader out = agent.inputReader(StandardCharsets.UTF_8);
        assertThat(out.readLine()).startsWith("READY ");
    }

    private static CounterReport awaitReport(Cluster cluster) {
        return await().atMost(PATIENCE)
                .until(
                        () -> Optional.ofNullable(cluster.counters().get().get(HOST)),
                        report -> report.filter(last -> last.sequence() > 0).isPresent())
                .orElseThrow();
    }

    private static Member awaitMember(Cluster cluster) {
        return await().atMost(PATIENCE)
                .until(
                        () -> Optional.ofNullable(
                                cluster.members(Role.AGENT).get().get(AGENT)),
                        Optional::isPresent)
                .orElseThrow();
    }

    private static String page(Member member, String path) throws IOException, InterruptedException {
        NodeAddress admin = member.endpoint(Member.ADMIN).orElseThrow();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://" + admin + path))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        }
    }

    private static String agentCheck(Member member) throws IOException {
        NodeAddress address = member.endpoint("agent-check").orElseThrow();
        try (Socket socket = new Socket(address.host(), address.port())) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
