// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.json.Json;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.FileTable;
import io.albm.storage.Inode;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of three real processes, of which the one that leads gets a signal. */
@Timeout(120)
class TableProcessesTest {
    private static final List<String> NODES = List.of("n-1", "n-2", "n-3");
    private static final int NAMES = 500;

    @TempDir
    private Path dir;

    private final Map<String, TableNodeProcess> processes = new LinkedHashMap<>();
    private final Transport transport = Transport.open(1);
    private final FrameClient frames = new FrameClient(transport);
    private EmbeddedZooKeeper zooKeeper;
    private ZooKeeperCluster cluster;

    @BeforeEach
    void start() throws IOException {
        zooKeeper = EmbeddedZooKeeper.start(dir, new NodeAddress("127.0.0.1", 0));
        cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), TableNodeProcess.CLUSTER);
        for (String node : NODES) {
            processes.put(node, TableNodeProcess.start(zooKeeper.address(), node));
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> cluster.members(Role.STORAGE_NODE).get().size() == NODES.size());
    }

    @AfterEach
    void stop() {
        processes.values().forEach(TableNodeProcess::close);
        frames.close();
        cluster.close();
        transport.close();
        zooKeeper.close();
    }

    private TableNodeProcess leader() {
        NodeId leader = Json.read(
                        cluster.store()
                                .read(TablePaths.LEADER)
                                .join()
                                .orElseThrow()
                                .data(),
                        Leader.class)
                .node();
        return Optional.ofNullable(processes.get(leader.value())).orElseThrow();
    }

    private static List<Long> make(FileTable table, String prefix) {
        List<Long> made = new ArrayList<>();
        for (int i = 0; i < NAMES; i++) {
            made.add(table.ask(new TableCommand.Make(Inode.ROOT, prefix + i, 0100644, 0, 0, 0, null))
                    .join()
                    .inode()
                    .number());
        }
        return made;
    }

    private static List<Long> lookup(FileTable table, String prefix) {
        List<Long> found = new ArrayList<>();
        for (int i = 0; i < NAMES; i++) {
            found.add(table.ask(new TableQuery.Lookup(Inode.ROOT, prefix + i))
                    .join()
                    .inode()
                    .number());
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "STOP"})
    void noNameThatWasAnsweredIsLostWithTheLeader(String signal) throws Exception {
        try (RemoteFileTable table = RemoteFileTable.open(cluster, frames)) {
            List<Long> before = make(table.early(), "before-");
            TableNodeProcess first = leader();

            first.signal(signal);

            List<Long> after = make(table.early(), "after-");
            if (signal.equals("STOP")) {
                first.signal("CONT");
            }
            table.sync().join();
            assertThat(lookup(table, "before-")).isEqualTo(before);
            assertThat(lookup(table, "after-")).isEqualTo(after);
        }
    }
}
