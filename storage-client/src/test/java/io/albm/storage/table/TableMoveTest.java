// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.config.ConfigException;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.Inode;
import io.albm.storage.StorageException;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Moving the table between two real ZooKeepers. */
@Timeout(180)
class TableMoveTest {
    private static final NodeId NODE = new NodeId("n-1");

    @TempDir
    private Path dir;

    private TableRig rig;
    private String own;

    @BeforeEach
    void start() throws Exception {
        rig = TableRig.withOwnEnsemble(dir);
        own = rig.ownServers();
        rig.tell("");
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private static TableCommand.Make make(String name) {
        return new TableCommand.Make(Inode.ROOT, name, 0100644, 1, 1, 0, null);
    }

    /** What a client does while one node runs that is told these servers. */
    private void whileServed(String servers, Work work) {
        rig.tell(servers);
        rig.startNode(NODE.value());
        try (ZooKeeperCluster cluster = rig.connect()) {
            work.with(RemoteFileTable.open(cluster, rig.frames()));
        } finally {
            rig.end(NODE);
        }
    }

    private interface Work {
        void with(RemoteFileTable table);
    }

    private boolean move(String target) throws StorageException {
        return move(rig.observer(), target);
    }

    private boolean move(Cluster cluster, String target) throws StorageException {
        return new TableMove(cluster, rig.servers(), target).run();
    }

    private void requireServes(String servers, List<String> names) {
        whileServed(servers, table -> {
            for (String name : names) {
                assertThat(table.ask(new TableQuery.Lookup(Inode.ROOT, name))
                                .join()
                                .inode()
                                .links())
                        .as(name)
                        .isEqualTo(1);
            }
        });
    }

    private void requireRefuses(String servers) {
        rig.tell(servers);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> rig.startNode(NODE.value()))
                .withCauseInstanceOf(ConfigException.class);
    }

    @Test
    void takesSnapshotAndLogAlongThereAndBack() throws Exception {
        whileServed("", table -> {
            long inode = table.ask(make("first")).join().inode().number();
            for (int i = 0; i < 100; i++) {
                table.ask(new TableCommand.SetAttribute(inode, "user.big", new byte[60_000], false, false))
                        .join();
            }
            Awaitility.await().until(() -> rig.status(NODE).snapshotBytes() > 0);
            table.ask(make("last")).join();
        });
        long position = rig.batches();

        assertThat(move(own)).isTrue();

        assertThat(position).isPositive();
        assertThat(rig.batches()).isZero();
        assertThat(rig.observer().store().children(TablePaths.SNAPSHOTS).join()).isEmpty();
        requireRefuses("");
        whileServed(own, table -> {
            long inode = table.ask(new TableQuery.Lookup(Inode.ROOT, "last"))
                    .join()
                    .inode()
                    .number();
            assertThat(table.ask(make("there")).join().inode().number()).isEqualTo(inode + 1);
        });
        assertThat(move(own)).isFalse();
        assertThat(move(rig.servers())).isTrue();
        requireRefuses(own);
        requireServes("", List.of("first", "last", "there"));
    }

    @Test
    void theEpochGrowsAcrossTheMove() throws Exception {
        List<Long> epochs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            whileServed("", table -> epochs.add(epoch(table)));
        }
        move(own);
        whileServed(own, table -> epochs.add(epoch(table)));

        assertThat(epochs).isSorted().doesNotHaveDuplicates();
    }

    private long epoch(RemoteFileTable table) {
        return table.send(make("epoch-" + System.nanoTime()), false).join().epoch();
    }

    @Test
    void isRefusedWhileSomebodyUsesTheTable() throws Exception {
        whileServed("", table -> {
            table.ask(make("a")).join();
            requireRefusal(own, "storage nodes run (n-1)");
        });
        try (ZooKeeperCluster left = rig.connect()) {
            whileServed(
                    "",
                    table -> RemoteFileTable.open(left, rig.frames())
                            .ask(make("b"))
                            .join());
            requireRefusal(own, "clients use it (");
        }
        assertThat(move(own)).isTrue();
    }

    @Test
    void isRefusedIfAnotherTableIsInItsWay() {
        whileServed("", table -> table.ask(make("a")).join());
        rig.observer()
                .ensemble(own)
                .store()
                .commit(List.of(TableHome.here("of another").create()))
                .join();

        requireRefusal(own, "ZooKeeper " + own + " has another one under the name table");
        requireServes("", List.of("a"));
    }

    @Test
    void withoutATableThereIsNothingToMove() {
        requireRefusal(own, "no storage node has begun one");
    }

    private void requireRefusal(String target, String why) {
        assertThatExceptionOfType(StorageException.CannotMoveTable.class)
                .isThrownBy(() -> move(target))
                .withMessageContaining(why);
    }

    @Test
    void whatIsOnItsWayBackIsNotTakenForARest() throws Exception {
        whileServed(own, table -> table.ask(make("a")).join());
        CoordinationStore cluster = rig.observer().store();
        TableHome before = TableHome.read(cluster).join().orElseThrow();
        assertThat(move(rig.servers())).isTrue();
        // As if it had been cut off before its last commit.
        cluster.commit(List.of(before.set(Operation.ANY))).join();

        requireRefusal(own, "it is on its way to ZooKeeper " + rig.servers());
        assertThat(move(rig.servers())).isTrue();
        requireServes("", List.of("a"));
    }

    @Test
    void whatIsOnItsWayToAThirdEnsembleIsNotThereAlready() throws Exception {
        whileServed(own, table -> table.ask(make("a")).join());
        CoordinationStore cluster = rig.observer().store();
        TableHome before = TableHome.read(cluster).join().orElseThrow();
        try (EmbeddedZooKeeper thirdEnsemble =
                EmbeddedZooKeeper.start(dir.resolve("third"), new NodeAddress("127.0.0.1", 0))) {
            String third = thirdEnsemble.address().toString();
            assertThat(move(third)).isTrue();
            // As if it had been cut off before its last commit.
            cluster.commit(List.of(before.set(Operation.ANY))).join();

            requireRefusal(own, "it is on its way to ZooKeeper " + third);
            assertThat(move(third)).isTrue();
            requireServes(third, List.of("a"));
            assertThat(move(third)).isFalse();
        }
    }

    /** Behind each commit in turn. A storage node that starts before it goes on serves the table, or not at all. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void canBeCutOffAnywhereAndRunAgain(boolean back) throws Exception {
        String source = back ? own : "";
        String target = back ? rig.servers() : own;
        boolean isDone = false;
        for (int commits = 0; !isDone; commits++) {
            rig.useCluster("cut-off-" + commits);
            List<String> names = new ArrayList<>();
            whileServed(source, table -> makeNext(table, names));
            try (ZooKeeperCluster cluster = rig.connect()) {
                isDone = runsThrough(new CutOffCluster(cluster, new AtomicInteger(commits)), target);
                boolean isCopied = !back
                        && TableHome.read(cluster.ensemble(own).store()).join().isPresent();
                serveIfAdmitted(source, names, isCopied);
                assertThat(move(cluster, target)).isNotEqualTo(isDone);
                requireNothingLeft(back ? cluster.ensemble(own) : cluster);
            }
            requireRefuses(source);
            requireServes(back ? "" : own, names);
        }
        assertThat(isDone).isTrue();
    }

    private static void requireNothingLeft(Cluster source) {
        CoordinationStore store = source.store();
        assertThat(store.read(TablePaths.STATE).join()).isEmpty();
        assertThat(store.children(TablePaths.LOG).join()).isEmpty();
        assertThat(store.children(TablePaths.SNAPSHOTS).join()).isEmpty();
    }

    private static void makeNext(RemoteFileTable table, List<String> names) {
        String name = "f-" + names.size();
        table.ask(make(name)).join();
        names.add(name);
    }

    private boolean runsThrough(Cluster cluster, String target) {
        try {
            return move(cluster, target);
        } catch (StorageException cutOff) {
            assertThat(cutOff).isInstanceOf(StorageException.TableUnavailable.class);
            return false;
        }
    }

    /** @param goesOn whether there is a change, too: the first one of a leader takes seconds */
    private void serveIfAdmitted(String servers, List<String> names, boolean goesOn) {
        try {
            requireServes(servers, names);
        } catch (CompletionException refused) {
            assertThat(refused).hasCauseInstanceOf(ConfigException.class);
            return;
        }
        if (goesOn) {
            whileServed(servers, table -> makeNext(table, names));
        }
    }
}
