// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cluster.Cluster;
import io.albm.core.net.HeldPort;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node does when the directory is away, when it is killed, and when two have one name. */
final class FaultsIT {
    private static final String ID = "cache-1";
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);

    @TempDir
    private Path directory;

    private HeldPort zooKeeper;
    private HeldPort admin;

    @BeforeEach
    void prepare() throws IOException {
        Files.writeString(Files.createDirectory(directory.resolve("docs")).resolve("a.txt"), "content");
        zooKeeper = HeldPort.at(ANY_PORT);
        admin = HeldPort.at(ANY_PORT);
    }

    @AfterEach
    void letPortsGo() {
        zooKeeper.close();
        admin.close();
    }

    @Test
    void waitsNotReadyUntilZooKeeperIsThere() throws Exception {
        try (RoleUnderTest node = startCacheServer(admin.address().port())) {
            await().until(() -> node.errors().contains("does not answer"));
            var health = RoleUnderTest.get(admin.address(), "/health/ready");
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body()).contains("no connection to " + zooKeeper.address());
            assertThat(node.isReady()).isFalse();

            try (RoleUnderTest server = startZooKeeper()) {
                server.awaitReady();
                node.awaitReady();
                assertThat(node.get("admin", "/health/ready").statusCode()).isEqualTo(200);
            }
            assertThat(node.errors().lines().filter(line -> line.contains("does not answer")))
                    .hasSize(1);
            assertThat(node.errors()).doesNotContain("\tat ", "Exception");
        }
    }

    @Test
    void servesWhileZooKeeperIsDeadAndFindsItAgain() throws Exception {
        RoleUnderTest server = startZooKeeper().awaitReady();
        try (RoleUnderTest node = startCacheServer(0).awaitReady()) {
            server.kill();
            await().until(() -> node.get("admin", "/health/ready").body().contains("serving with the last view"));
            assertThat(node.get("admin", "/health/ready").statusCode()).isEqualTo(200);
            assertThat(node.get("http", "/a.txt").body()).isEqualTo("content");

            server = startZooKeeper().awaitReady();
            await().until(() -> !node.get("admin", "/health/ready").body().contains("last view"));
            try (Cluster cluster = connect()) {
                await().until(() -> pid(cluster), Long.toString(node.pid())::equals);
            }
        } finally {
            server.close();
        }
    }

    @Test
    void aSecondNodeWithTheSameIdIsRefusedAndTheFirstGoesOn() throws Exception {
        try (RoleUnderTest server = startZooKeeper().awaitReady();
                RoleUnderTest first = startCacheServer(0).awaitReady();
                RoleUnderTest second = startCacheServer(0)) {
            assertThat(server.isReady()).isTrue();
            assertThat(second.awaitExit()).isEqualTo(4);
            assertThat(second.errors().lines().filter(line -> line.startsWith("albm: ")))
                    .singleElement()
                    .asString()
                    .contains("node id " + ID + " is in use by process " + first.pid(), "--id");
            assertThat(first.get("http", "/a.txt").body()).isEqualTo("content");
            try (Cluster cluster = connect()) {
                await().until(() -> pid(cluster), Long.toString(first.pid())::equals);
            }
        }
    }

    @Test
    void aKilledNodeIsBackUnderItsIdAfterARestart() throws Exception {
        try (RoleUnderTest server = startZooKeeper().awaitReady();
                Cluster cluster = connect()) {
            assertThat(server.isReady()).isTrue();
            startCacheServer(0).awaitReady().kill();
            try (RoleUnderTest again = startCacheServer(0).awaitReady()) {
                await().until(() -> pid(cluster), Long.toString(again.pid())::equals);
                assertThat(again.stop()).isZero();
            }
            await().until(() -> cluster.members(Role.CACHE_SERVER).get().isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zookeeper", "distributor", "cache-server", "storage-node", "coordinator", "console"})
    void aPortInUseIsNamedInOneLineWithItsOwner(String role) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RoleUnderTest refused = startOn(taken.getLocalPort(), role)) {
            assertThat(refused.awaitExit()).isEqualTo(1);
            assertThat(refused.errors().lines().filter(line -> !line.contains(" WARN ") && !line.contains(" INFO ")))
                    .singleElement()
                    .asString()
                    .startsWith("albm: 127.0.0.1:" + taken.getLocalPort() + ": the port is in use by pid "
                            + ProcessHandle.current().pid() + " (")
                    .contains("choose another port");
        }
    }

    private RoleUnderTest startOn(int port, String role) throws IOException {
        List<String> settings = new ArrayList<>(List.of("--port", Integer.toString(port), "--admin-port", "0"));
        settings.addAll(List.of("--data", directory.resolve(role).toString()));
        if (!role.equals("zookeeper")) {
            settings.addAll(List.of("--zookeeper", zooKeeper.address().toString()));
        }
        if (role.equals("cache-server")) {
            settings.addAll(List.of("--docs", directory.resolve("docs").toString()));
        }
        return RoleUnderTest.start(directory, role, settings.toArray(String[]::new));
    }

    private RoleUnderTest startZooKeeper() throws IOException {
        return RoleUnderTest.start(
                directory,
                "zookeeper",
                "--port",
                Integer.toString(zooKeeper.address().port()),
                "--admin-port",
                "0",
                "--data",
                directory.resolve("zookeeper").toString());
    }

    private RoleUnderTest startCacheServer(int adminPort) throws IOException {
        return RoleUnderTest.start(
                directory,
                "cache-server",
                "--id",
                ID,
                "--port",
                "0",
                "--admin-port",
                Integer.toString(adminPort),
                "--zookeeper",
                zooKeeper.address().toString(),
                "--docs",
                directory.resolve("docs").toString(),
                "--data",
                directory.resolve(ID).toString());
    }

    private Cluster connect() {
        return ZooKeeperCluster.connect(zooKeeper.address().toString(), "albm");
    }

    /** The process that the membership names. */
    private static String pid(Cluster cluster) {
        var member = cluster.members(Role.CACHE_SERVER).get().get(new NodeId(ID));
        return member == null ? "" : member.attribute("pid").orElse("");
    }
}
