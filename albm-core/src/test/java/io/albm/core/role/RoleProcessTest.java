// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.cli.Commands;
import io.albm.core.cli.ExitCode;
import io.albm.core.net.HeldPort;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.core.zookeeper.server.ZooKeeperMain;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;

/** The life of real processes against a real ZooKeeper. */
class RoleProcessTest {

    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> LARGEST_FILE_6_MIB = List.of("sh", "-c", "ulimit -f 12288; exec \"$@\"", "sh");
    private static final NodeId ID = new NodeId("cache-1");

    @TempDir
    private Path dir;

    @Test
    void servesRegistersLeavesAndRefusesASecondOfItsName() throws Exception {
        try (var zooKeeper = EmbeddedZooKeeper.start(dir.resolve("zk"), ANY_PORT);
                var cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), "albm");
                var first = run("first", zooKeeper.address(), "--id", "cache-1")) {
            var members = cluster.members(Role.CACHE_SERVER);
            var ready = first.awaitReady();

            assertThat(ready.get("id").asText()).isEqualTo("cache-1");
            assertThat(ready.get("role").asText()).isEqualTo("cache-server");
            assertThat(RoleRun.get(ready.at("/endpoints/http").asText(), "/").body())
                    .isEqualTo("hello from cache-1");
            assertThat(RoleRun.get(ready.at("/endpoints/admin").asText(), "/health/ready")
                            .statusCode())
                    .isEqualTo(200);
            await().atMost(PATIENCE).until(() -> members.get().containsKey(ID));
            assertThat(Objects.requireNonNull(members.get().get(ID)).attribute("pid"))
                    .hasValue(ready.get("pid").asText());

            try (var second = run("second", zooKeeper.address(), "--id", "cache-1")) {
                assertThat(second.exitCode()).isEqualTo(4);
                assertThat(second.wroteReady()).isFalse();
                assertThat(second.err()).contains("cache-1 is in use by").contains("--id");
            }

            first.signalTerm();
            await().atMost(PATIENCE).until(() -> members.get().isEmpty());
            assertThat(first.exitCode()).isZero();
        }
    }

    @Test
    void endsIfItsZooKeeperCannotWriteAnyMore() throws Exception {
        try (var process =
                new RoleRun(dir, "full", LARGEST_FILE_6_MIB, ZooKeeperMain.class, "--port", "0", "--admin-port", "0")) {
            var address = process.awaitReady().at("/endpoints/zookeeper").asText();
            try (var cluster = ZooKeeperCluster.connect(address, "test")) {
                for (int n = 0; n < 20; n++) {
                    cluster.configure("distributor", "key", n + "x".repeat(500_000));
                }
                assertThat(process.exitCode()).isEqualTo(1);
            }
            assertThat(process.err()).contains("the ZooKeeper server of this process has ended");
        }
    }

    @Test
    void waitsForZooKeeperAndOutlivesIt() throws Exception {
        try (HeldPort held = HeldPort.at(ANY_PORT);
                HeldPort heldAdmin = HeldPort.at(ANY_PORT)) {
            waitsForZooKeeperAndOutlivesIt(held.address(), heldAdmin.address());
        }
    }

    private void waitsForZooKeeperAndOutlivesIt(NodeAddress address, NodeAddress admin) throws Exception {
        var adminAddress = admin.toString();
        try (var process = run("early", address, "--admin-port", Integer.toString(admin.port()))) {
            await().atMost(PATIENCE).until(() -> process.err().contains("no connection to " + address + " yet"));
            var early = RoleRun.get(adminAddress, "/health/ready");
            assertThat(early.statusCode()).isEqualTo(503);
            assertThat(early.body()).contains("no connection to " + address + " yet, keeps trying");

            try (var zooKeeper = EmbeddedZooKeeper.start(dir.resolve("zk"), address)) {
                assertThat(zooKeeper.address()).isEqualTo(address);
                process.awaitReady();
                assertThat(RoleRun.get(adminAddress, "/health/ready").statusCode())
                        .isEqualTo(200);
            }

            await().atMost(PATIENCE)
                    .until(() ->
                            RoleRun.get(adminAddress, "/health/ready").body().contains("serving with the last view"));
            assertThat(RoleRun.get(adminAddress, "/health/ready").statusCode()).isEqualTo(200);
            process.signalTerm();
            assertThat(process.exitCode()).isZero();
        }
    }

    @Test
    void endsBeforeItJoinsIfItsAdmissionIsRefused() throws Exception {
        try (var zooKeeper = EmbeddedZooKeeper.start(dir.resolve("zk"), ANY_PORT);
                var process = run("refused", zooKeeper.address(), "--admission", "refused")) {
            assertThat(process.exitCode()).isEqualTo(78);
            assertThat(process.wroteReady()).isFalse();
            assertThat(process.err()).contains("albm: admission = 'refused': expected another one");
        }
    }

    @Test
    void drainsAtASignalBeforeItIsAdmitted() throws Exception {
        try (var zooKeeper = EmbeddedZooKeeper.start(dir.resolve("zk"), ANY_PORT);
                var cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), "albm");
                var process = run(
                        "waiting",
                        zooKeeper.address(),
                        "--admission",
                        "never",
                        "--never-drained",
                        "--drain-timeout",
                        "100ms")) {
            await().atMost(PATIENCE).until(() -> process.err().contains("connected to ZooKeeper"));

            process.signalTerm();

            assertThat(process.exitCode()).isZero();
            assertThat(process.wroteReady()).isFalse();
            assertThat(process.out()).contains("GIVEN UP true");
            assertThat(cluster.members(Role.CACHE_SERVER).loaded().join()).isEmpty();
        }
    }

    @Test
    void drainsUntilItsBoundAndEndsAtOnceOnASecondSignal() throws Exception {
        try (var zooKeeper = EmbeddedZooKeeper.start(dir.resolve("zk"), ANY_PORT);
                var patient = run("patient", zooKeeper.address(), "--never-drained", "--drain-timeout", "100ms");
                var stuck = run(
                        "stuck", zooKeeper.address(), "--never-drained", "--drain-timeout", "1h", "--id", "stuck")) {
            patient.awaitReady();
            patient.signalTerm();
            assertThat(patient.exitCode()).isZero();
            assertThat(patient.out()).contains("GIVEN UP true");

            stuck.awaitReady();
            stuck.signalTerm();
            stuck.awaitLine("DRAINING");
            stuck.signalTerm();
            assertThat(stuck.exitCode()).isEqualTo(128 + 15);
            assertThat(stuck.out()).doesNotContain("GIVEN UP");
        }
    }

    @Test
    void rehearsesAStartWithAZooKeeperOfItsOwn() {
        Path data = dir.resolve("rehearsal");
        CommandSpec commands = RoleLauncher.commands(new SampleRole());
        assertThat(Commands.run(commands, "rehearse", data.toString())).isEqualTo(ExitCode.DONE);
        assertThat(data.resolve("data")).isDirectory();
    }

    @Test
    void saysOfARehearsalThatACommandInItFailed() {
        CommandSpec commands = RoleLauncher.commands(new SampleRole() {
            @Override
            public List<List<String>> rehearsedCommands() {
                return List.of(List.of("sing"));
            }
        });
        assertThat(Commands.run(commands, "rehearse", dir.resolve("rehearsal").toString()))
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void refusesToListenWiderThanLoopbackUnlessTold() throws Exception {
        try (var process = run("wide", ANY_PORT.withPort(2181), "--bind", "0.0.0.0")) {
            assertThat(process.exitCode()).isEqualTo(78);
            assertThat(process.err().lines())
                    .singleElement()
                    .asString()
                    .contains("bind = '0.0.0.0' (command line --bind)")
                    .contains("--insecure");
        }
    }

    @Test
    void namesWhoHoldsTheAdminPort() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var process = run(
                        "taken", ANY_PORT.withPort(2181), "--admin-port", Integer.toString(socket.getLocalPort()))) {
            assertThat(process.exitCode()).isEqualTo(1);
            assertThat(process.err())
                    .contains("in use by pid " + ProcessHandle.current().pid())
                    .doesNotContain("\tat ");
        }
    }

    private RoleRun run(String name, NodeAddress zooKeeper, String... options) throws Exception {
        var all = new ArrayList<>(List.of("--zookeeper", zooKeeper.toString()));
        all.addAll(List.of(options));
        return new RoleRun(dir, name, all.toArray(String[]::new));
    }
}
