// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cluster.Cluster;
import io.albm.core.net.HeldPort;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.it.Albm.Result;
import io.albm.storage.PutMode;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import io.albm.storage.table.ClusterStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Storage nodes whose file table has a ZooKeeper of its own: each of the two killed in turn, and the table moved. */
final class TableEnsembleIT {
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final List<String> NODES = List.of("storage-1", "storage-2", "storage-3");
    private static final byte[] CONTENT = content();

    @TempDir
    private Path directory;

    private HeldPort clusterPort;
    private HeldPort tablePort;
    private RoleUnderTest clusterZooKeeper;
    private RoleUnderTest tableZooKeeper;
    private final List<RoleUnderTest> nodes = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        clusterPort = HeldPort.at(ANY_PORT);
        tablePort = HeldPort.at(ANY_PORT);
        clusterZooKeeper = zooKeeper(clusterPort, "cluster-zookeeper").awaitReady();
        tableZooKeeper = zooKeeper(tablePort, "table-zookeeper").awaitReady();
        startNodes("--table-zookeeper", tablePort.address().toString());
    }

    @AfterEach
    void stop() {
        nodes.forEach(RoleUnderTest::close);
        clusterZooKeeper.close();
        tableZooKeeper.close();
        clusterPort.close();
        tablePort.close();
    }

    private RoleUnderTest zooKeeper(HeldPort port, String id) throws IOException {
        return RoleUnderTest.start(
                directory,
                "zookeeper",
                "--id",
                id,
                "--port",
                Integer.toString(port.address().port()),
                "--admin-port",
                "0",
                "--data",
                directory.resolve(id).toString());
    }

    private void startNodes(String... settings) throws IOException {
        for (String id : NODES) {
            nodes.add(storageNode(id, settings));
        }
        nodes.forEach(RoleUnderTest::awaitReady);
    }

    private RoleUnderTest storageNode(String id, String... settings) throws IOException {
        String[] usual = {
            "--id",
            id,
            "--port",
            "0",
            "--admin-port",
            "0",
            "--zookeeper",
            clusterPort.address().toString(),
            "--data",
            directory.resolve(id).toString()
        };
        return RoleUnderTest.start(
                directory,
                "storage-node",
                Stream.of(usual, settings).flatMap(Stream::of).toArray(String[]::new));
    }

    private Result storage(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("storage"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--zookeeper", clusterPort.address().toString()));
        return Albm.in(directory).run(all.toArray(String[]::new));
    }

    private void awaitHealth(String reason) {
        await().until(() -> nodes.stream()
                .map(node -> node.get("admin", "/health/ready"))
                .allMatch(health -> health.statusCode() == 200
                        && health.body().contains("\"component\" : \"" + reason + "\"")
                        && health.body().split("\"component\"", -1).length == 2));
    }

    private void awaitHealthy() {
        await().until(() -> nodes.stream()
                .noneMatch(node -> node.get("admin", "/health/ready").body().contains("component")));
    }

    private static byte[] content() {
        byte[] bytes = new byte[4 << 20];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private static byte[] read(StripedStore store, String path) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(CONTENT.length);
        store.readFile(path, bytes);
        return bytes.toByteArray();
    }

    @Test
    void eachOfTheTwoMayDieAndHealthSaysWhich() throws Exception {
        try (Transport transport = Transport.open(1);
                FrameClient frames = new FrameClient(transport);
                Cluster cluster = ZooKeeperCluster.connect(clusterPort.address().toString(), "albm")) {
            StripedStore store = ClusterStorage.open(cluster, frames, StripeSettings.DEFAULT);
            await().until(() -> store.nodes().size() == NODES.size());
            store.writeBytes("/before", CONTENT, PutMode.CREATE);

            clusterZooKeeper.kill();
            awaitHealth("zookeeper");
            store.writeBytes("/without-the-clusters", CONTENT, PutMode.CREATE);
            assertThat(read(store, "/before")).isEqualTo(CONTENT);
            clusterZooKeeper = zooKeeper(clusterPort, "cluster-zookeeper").awaitReady();
            awaitHealthy();

            tableZooKeeper.kill();
            awaitHealth("table-zookeeper");
            assertThat(storage("ls").exitCode()).isEqualTo(69);
            assertThat(cluster.members(Role.STORAGE_NODE).get())
                    .containsOnlyKeys(NODES.stream().map(NodeId::new).toArray(NodeId[]::new));
            tableZooKeeper = zooKeeper(tablePort, "table-zookeeper").awaitReady();
            awaitHealthy();

            store.writeBytes("/after", CONTENT, PutMode.CREATE);
            assertThat(read(store, "/without-the-clusters")).isEqualTo(CONTENT);
        }
    }

    @Test
    void aNodeThatIsToldAnotherEnsembleIsRefusedUntilTheTableIsMoved() throws Exception {
        String table = tablePort.address().toString();
        requireRefused(storageNode("storage-4"), "table-zookeeper is not set: the file table is in ZooKeeper " + table);
        requireRefused(
                storageNode("storage-4", "--table-zookeeper", "127.0.0.1:1"),
                "table-zookeeper = '127.0.0.1:1' (command line --table-zookeeper): the file table is in ZooKeeper "
                        + table);
        Path file = Files.write(directory.resolve("file"), CONTENT);
        assertThat(storage("put", file.toString(), "/file").exitCode()).isZero();
        assertThat(storage("move-table", clusterPort.address().toString()))
                .matches(refused -> refused.exitCode() == 4 && refused.err().contains("storage nodes run (storage-1"));

        nodes.forEach(RoleUnderTest::stop);
        nodes.clear();
        Result moved = storage("move-table", clusterPort.address().toString());
        assertThat(moved.exitCode()).as(moved.err()).isZero();
        startNodes();
        tableZooKeeper.kill();

        assertThat(storage("get", "/file", directory.resolve("copy").toString()).exitCode())
                .isZero();
        assertThat(directory.resolve("copy")).hasBinaryContent(CONTENT);
    }

    private static void requireRefused(RoleUnderTest node, String why) {
        try (node) {
            assertThat(node.awaitExit()).isEqualTo(78);
            assertThat(node.isReady()).isFalse();
            assertThat(node.errors().lines().filter(line -> line.startsWith("albm: ")))
                    .singleElement()
                    .asString()
                    .contains(why);
        }
    }
}
