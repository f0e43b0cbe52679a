// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.albm.core.admin.Health;
import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Leadership;
import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.FileTable;
import io.albm.storage.Inode;
import io.albm.storage.StorageException;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The table in a ZooKeeper of its own: what goes there and what does not, and what goes on without the one or the other. */
@Timeout(120)
class OwnEnsembleTest {
    private static final String GENERATION = "0123456789abcdeffedcba9876543210";

    @TempDir
    private Path dir;

    private TableRig rig;
    private ZooKeeperCluster cluster;
    private RemoteFileTable table;

    @BeforeEach
    void start() throws Exception {
        rig = TableRig.withOwnEnsemble(dir, "n-1", "n-2");
        cluster = rig.connect();
        table = RemoteFileTable.open(cluster, rig.frames());
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private static long make(FileTable table, String name) {
        return table.ask(new TableCommand.Make(Inode.ROOT, name, 0100644, 1, 1, 0, null))
                .join()
                .inode()
                .number();
    }

    private static long lookup(FileTable table, String name) {
        return table.ask(new TableQuery.Lookup(Inode.ROOT, name)).join().inode().number();
    }

    private Cluster own() {
        return cluster.ensemble(rig.ownServers());
    }

    private NodeId leader() {
        return await().until(() -> rig.leader().orElse(null), leader -> leader != null);
    }

    /** All nodes and how often their content was changed. */
    private static Map<String, Integer> tree(CoordinationStore store) {
        Map<String, Integer> tree = new TreeMap<>();
        Deque<String> left = new ArrayDeque<>(List.of(""));
        while (!left.isEmpty()) {
            String path = left.pop();
            String node = path.isEmpty() ? "/" : path;
            tree.put(node, store.read(node).join().orElseThrow().version());
            store.children(node).join().forEach(child -> left.push(path + "/" + child));
        }
        return tree;
    }

    @Test
    void newNamesTouchNothingInTheClustersEnsemble() {
        leader();
        Map<String, Integer> before = tree(cluster.store());

        for (int i = 0; i < 100; i++) {
            make(table, "f-" + i);
        }

        assertThat(tree(cluster.store())).isEqualTo(before);
        assertThat(before.keySet())
                .contains(TablePaths.HOME)
                .noneMatch(node -> node.startsWith("/storage/table") || node.startsWith("/leaders"));
        assertThat(tree(own().store()).keySet())
                .contains(TablePaths.LEADER, TablePaths.MEMBERS + "/n-1", Leadership.epochPath(Role.STORAGE_NODE))
                .filteredOn(node -> node.startsWith(TablePaths.LOG + "/"))
                .hasSizeGreaterThanOrEqualTo(100);
    }

    @Test
    void withoutTheClustersEnsembleTheTableGoesOnWhoeverLeads() throws Exception {
        long before = make(table, "before");
        NodeId first = leader();

        rig.stopZooKeeper();

        long meanwhile = make(table, "meanwhile");
        rig.kill(first);
        assertThat(lookup(table, "before")).isEqualTo(before);
        assertThat(lookup(table, "meanwhile")).isEqualTo(meanwhile);
        make(table, "later");
        rig.restartZooKeeper();
        make(table, "last");
    }

    @Test
    void withoutItsOwnEnsembleTheTableWaitsAndTheClusterDoesNot() throws Exception {
        long before = make(table, "before");
        RemoteFileTable impatient = new RemoteFileTable(
                own().store(),
                new WireTableLink(rig.frames(), node -> Optional.of(rig.address(node.value()))),
                Delay.system(),
                System::nanoTime,
                () -> UUID.randomUUID().toString(),
                Duration.ofSeconds(3));
        Map<NodeId, Member> members =
                cluster.members(Role.STORAGE_NODE).loaded().join();
        assertThat(members).hasSize(2);

        rig.stopOwn();

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> make(impatient, "meanwhile"))
                .withCauseInstanceOf(StorageException.TableUnavailable.class);
        cluster.configure("test", "key", "value").join();
        assertThat(cluster.members(Role.STORAGE_NODE).get()).isEqualTo(members);
        rig.restartOwn();
        assertThat(lookup(table, "before")).isEqualTo(before);
        make(table, "after");
    }

    @Test
    void aClientsSessionIsTheOneInTheTablesEnsemble() {
        table.ask(new TableCommand.Begin(GENERATION)).join();
        RemoteFileTable other = RemoteFileTable.open(rig.connect(), rig.frames());
        TableQuery.Unneeded unneeded = new TableQuery.Unneeded(new NodeId("n-1"), List.of(GENERATION));
        assertThat(other.ask(unneeded).join().generations()).isEmpty();

        own().close();

        await().until(() -> other.ask(unneeded).join().generations(), List.of(GENERATION)::equals);
    }

    @Test
    void healthSaysThatTheTablesEnsembleIsAwayUntilItIsBack() throws Exception {
        Health health = new Health(InstantSource.system());
        StripedStore store = ClusterStorage.open(cluster, rig.frames(), StripeSettings.DEFAULT, health);
        assertThat(store.stat("/none")).isEmpty();
        assertThat(health.report().reasons()).isEmpty();

        rig.stopOwn();

        await().until(() -> health.report().reasons().stream()
                .anyMatch(reason -> reason.component().equals("table-zookeeper")
                        && reason.message().contains("connection to " + rig.ownServers() + " lost")));
        assertThat(health.report().ready()).isTrue();
        rig.restartOwn();
        await().until(() -> health.report().reasons().isEmpty());
    }

    @Test
    void aNodeThatSleptWhileTheTableWasMovedDoesNotBeginAnEmptyOne() {
        NodeId first = leader();
        NodeId other = rig.nodes().stream()
                .filter(node -> !node.equals(first))
                .findFirst()
                .orElseThrow();
        String table = TableHome.read(own().store()).join().orElseThrow().table();
        own().store()
                .commit(List.of(new TableHome(table, "10.0.0.9:2181", false).set(0)))
                .join();

        rig.kill(first);

        await().until(() -> rig.status(other).trouble(), trouble -> trouble != null);
        assertThat(rig.status(other).trouble())
                .isEqualTo("the file table is in ZooKeeper 10.0.0.9:2181 now; start this node with"
                        + " table-zookeeper = 10.0.0.9:2181");
    }

    @Test
    void aClientThatIsThereBeforeTheFirstStorageNodeFindsTheTable() throws Exception {
        try (TableRig later = TableRig.withOwnEnsemble(dir.resolve("later"))) {
            RemoteFileTable early = RemoteFileTable.open(later.connect(), later.frames());
            var made = early.ask(new TableCommand.Make(Inode.ROOT, "a", 0100644, 1, 1, 0, null));

            later.startNode("n-1");

            long number = made.join().inode().number();
            assertThat(lookup(early, "a")).isEqualTo(number);
            assertThat(tree(later.observer().store())).doesNotContainKey(TablePaths.CLIENTS);
        }
    }
}
