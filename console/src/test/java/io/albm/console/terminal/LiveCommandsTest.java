// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cli.Commands;
import io.albm.core.cli.ExitCode;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class LiveCommandsTest {
    private static EmbeddedZooKeeper server;

    private final PrintStream stdout = System.out;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final StringWriter errors = new StringWriter();
    private String name;
    private ZooKeeperCluster cluster;

    @BeforeAll
    static void startServer(@TempDir Path data) throws Exception {
        server = EmbeddedZooKeeper.start(data, new NodeAddress("127.0.0.1", 0));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void connect(TestInfo test) {
        name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        cluster = ZooKeeperCluster.connect(server.address().toString(), name);
        System.setOut(new PrintStream(output, true, UTF_8));
    }

    @AfterEach
    void disconnect() {
        System.setOut(stdout);
        cluster.close();
    }

    @Test
    void changesThePolicyToOneThatEveryDistributorHas() {
        distributor("d-1", "albm-threshold,least-connections,round-robin");
        distributor("d-2", "albm-threshold,round-robin");

        assertThat(run(new PolicyCommand(), "round-robin")).isEqualTo(ExitCode.DONE);
        awaitSettings("distributor", Map.of("policy", "round-robin"));
        assertThat(run(new PolicyCommand())).isEqualTo(ExitCode.DONE);
        assertThat(output.toString(UTF_8)).contains("policy: round-robin", "known:  albm-threshold, round-robin");

        assertThat(run(new PolicyCommand(), "least-connections")).isEqualTo(ExitCode.USAGE);
        assertThat(run(new PolicyCommand(), "round-robbin")).isEqualTo(ExitCode.USAGE);
        assertThat(errors.toString()).contains("unknown policy 'round-robbin'", "did you mean 'round-robin'?");

        assertThat(run(new PolicyCommand(), "--reset")).isEqualTo(ExitCode.DONE);
        awaitSettings("distributor", Map.of());
    }

    @Test
    void refusesAPolicyWhileNoDistributorRuns() {
        assertThat(run(new PolicyCommand(), "round-robin")).isEqualTo(ExitCode.REFUSED);
        assertThat(errors.toString()).contains("no distributor is running");
    }

    @Test
    void changesBothLevelsOfAThresholdTogether() {
        assertThat(run(new ThresholdCommand(), "set", "available-memory", "100MiB", "130MiB"))
                .isEqualTo(ExitCode.DONE);
        assertThat(run(new ThresholdCommand(), "set", "memory-pressure", "30%", "10%"))
                .isEqualTo(ExitCode.DONE);
        awaitSettings(
                "distributor",
                Map.of(
                        "threshold.available-memory.relieve", "100MiB",
                        "threshold.available-memory.recover", "130MiB",
                        "threshold.memory-pressure.relieve", "0.3",
                        "threshold.memory-pressure.recover", "0.1"));
        assertThat(run(new ThresholdCommand(), "ls")).isEqualTo(ExitCode.DONE);
        assertThat(output.toString(UTF_8).lines())
                .anyMatch(line -> line.matches("available-memory +100MiB +130MiB .*"))
                .anyMatch(line -> line.matches("cpu-busy +- +- .*"));

        assertThat(run(new ThresholdCommand(), "reset", "memory-pressure")).isEqualTo(ExitCode.DONE);
        awaitSettings(
                "distributor",
                Map.of(
                        "threshold.available-memory.relieve", "100MiB",
                        "threshold.available-memory.recover", "130MiB"));
        assertThat(run(new ThresholdCommand(), "reset")).isEqualTo(ExitCode.DONE);
        awaitSettings("distributor", Map.of());
    }

    @Test
    void refusesLevelsThatMakeNoSense() {
        assertThat(run(new ThresholdCommand(), "set", "available-memory", "100MiB"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run(new ThresholdCommand(), "set", "available-memory", "2GiB", "1GiB"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run(new ThresholdCommand(), "set", "available-memory", "much", "1GiB"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run(new ThresholdCommand(), "set", "avail-memory", "1GiB", "1GiB"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run(new ThresholdCommand(), "set", "cpu-busy", "80%", "95%")).isEqualTo(ExitCode.USAGE);
        assertThat(errors.toString())
                .contains(
                        "RECOVER",
                        "relieve at most recover",
                        "'much'",
                        "did you mean 'available-memory'?",
                        "relieve at least recover");
    }

    @Test
    void drainsMembersAndPutsThemBack() {
        member(Role.CACHE_SERVER, "cache-1", Map.of());

        assertThat(run(new DrainCommand(), "cache-1")).isEqualTo(ExitCode.DONE);
        Awaitility.await()
                .until(() -> cluster.configuration("drain/cache-1").get(), drain -> drain.containsKey("since"));
        assertThat(run(new DrainCommand(), "cache-2")).isEqualTo(ExitCode.USAGE);
        assertThat(errors.toString()).contains("there is no cache server 'cache-2'", "did you mean 'cache-1'?");

        assertThat(run(new UndrainCommand(), "cache-1")).isEqualTo(ExitCode.DONE);
        awaitSettings("drain/cache-1", Map.of());
        assertThat(run(new UndrainCommand(), "cache-1")).isEqualTo(ExitCode.DONE);
        assertThat(output.toString(UTF_8)).contains("cache-1: serves again", "cache-1: was not drained");
        assertThat(run(new UndrainCommand(), "No Such")).isEqualTo(ExitCode.USAGE);
    }

    private void distributor(String id, String policies) {
        member(Role.DISTRIBUTOR, id, Map.of("policies", policies));
    }

    private void member(Role role, String id, Map<String, String> attributes) {
        cluster.join(new Member(new NodeId(id), role, Map.of(), attributes, "test", Instant.EPOCH))
                .registered()
                .join();
    }

    private void awaitSettings(String scope, Map<String, String> expected) {
        Awaitility.await().until(() -> cluster.configuration(scope).get(), expected::equals);
    }

    private int run(Object command, String... args) {
        CommandLine line = Commands.commandLine(command);
        line.setErr(new PrintWriter(errors, true));
        return line.execute(Stream.concat(
                        Stream.of(
                                "--cluster",
                                name,
                                "--zookeeper",
                                server.address().toString()),
                        Stream.of(args))
                .toArray(String[]::new));
    }
}
