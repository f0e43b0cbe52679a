// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cluster.Cluster;
import io.albm.core.net.HeldPort;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.PutMode;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import io.albm.storage.table.ClusterStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Six storage nodes in three racks, of which one loses its power. */
final class FailureDomainsIT {
    private static final String NAME = "racks";
    private static final int RACKS = 3;
    private static final int UNIT = 64 * 1024;
    private static final StripeSettings SETTINGS = new StripeSettings(UNIT, 4, null, 3, Duration.ofSeconds(5));

    @TempDir
    private Path directory;

    private final Map<String, RoleUnderTest> nodes = new TreeMap<>();
    private final Map<String, byte[]> stored = new HashMap<>();
    private final Transport transport = Transport.open(1);
    private final FrameClient frames = new FrameClient(transport);
    private HeldPort port;
    private RoleUnderTest zooKeeper;
    private Cluster cluster;
    private StripedStore store;

    @BeforeEach
    void start() throws IOException {
        port = HeldPort.at(new NodeAddress("127.0.0.1", 0));
        zooKeeper = RoleUnderTest.start(
                directory,
                "zookeeper",
                "--port",
                Integer.toString(port.address().port()),
                "--admin-port",
                "0",
                "--data",
                directory.resolve("zookeeper").toString());
        for (int i = 0; i < 2 * RACKS; i++) {
            startNode("storage-" + (i + 1), "rack-" + (1 + i % RACKS));
        }
        nodes.values().forEach(RoleUnderTest::awaitReady);
        cluster = ZooKeeperCluster.connect(port.address().toString(), NAME);
        store = ClusterStorage.open(cluster, frames, SETTINGS);
        await().until(() -> store.nodes().size() == 2 * RACKS);
    }

    private void startNode(String id, String rack) throws IOException {
        nodes.put(
                id,
                RoleUnderTest.start(
                        directory,
                        "storage-node",
                        "--id",
                        id,
                        "--failure-domain",
                        rack,
                        "--cluster",
                        NAME,
                        "--zookeeper",
                        port.address().toString(),
                        "--port",
                        "0",
                        "--admin-port",
                        "0",
                        "--data",
                        directory.resolve(id).toString()));
    }

    private RoleUnderTest node(String id) {
        return Objects.requireNonNull(nodes.get(id));
    }

    @AfterEach
    void stop() {
        frames.close();
        cluster.close();
        transport.close();
        nodes.values().forEach(RoleUnderTest::close);
        zooKeeper.close();
        port.close();
    }

    @Test
    void everythingIsReadAndWrittenWithoutARackAndIsAsSafeAsBeforeWhenItIsBack() throws Exception {
        write(20);
        List<String> lost = List.of("storage-2", "storage-5");
        lost.forEach(id -> node(id).kill());
        assertRight();
        write(10);
        assertRight();
        for (String id : lost) {
            startNode(id, "rack-2");
        }
        lost.forEach(id -> node(id).awaitReady());
        await().until(() ->
                store.scrub(Set.copyOf(store.nodes()), progress -> {}).clean());
        assertThat(Albm.in(directory)
                        .run("storage", "fsck", "--zookeeper", port.address().toString(), "--cluster", NAME)
                        .out())
                .endsWith("clean\n");
        List.of("storage-3", "storage-6").forEach(id -> node(id).kill());
        assertRight();
    }

    private void write(int count) throws IOException {
        Random random = new Random(count);
        for (int i = 0; i < count; i++) {
            byte[] content = new byte[i % 4 == 0 ? UNIT : 5 * UNIT + 7];
            random.nextBytes(content);
            String path = "/" + stored.size();
            store.writeBytes(path, content, PutMode.CREATE);
            stored.put(path, content);
        }
    }

    private void assertRight() throws IOException {
        for (Map.Entry<String, byte[]> file : stored.entrySet()) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            store.readFile(file.getKey(), out);
            assertThat(out.toByteArray()).as(file.getKey()).isEqualTo(file.getValue());
        }
    }
}
