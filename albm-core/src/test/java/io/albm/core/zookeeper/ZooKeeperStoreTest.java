// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import static io.albm.core.zookeeper.Clusters.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.cluster.ConnectionState;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Operation.Check;
import io.albm.core.cluster.Operation.Create;
import io.albm.core.cluster.Operation.Delete;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.Versioned;
import io.albm.core.node.NodeAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

final class ZooKeeperStoreTest {
    private static EmbeddedZooKeeper server;
    private static Relay relay;

    private ZooKeeperCluster cluster;
    private ZooKeeperCluster other;
    private CoordinationStore store;

    @BeforeAll
    static void startServer(@TempDir Path data) throws Exception {
        server = EmbeddedZooKeeper.start(data, new NodeAddress("127.0.0.1", 0));
        relay = Relay.to(server.address());
    }

    @AfterAll
    static void stopServer() throws Exception {
        relay.close();
        server.close();
    }

    @BeforeEach
    void connect(TestInfo test) {
        String name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        relay.mend();
        cluster = Clusters.connect(relay.address(), name);
        other = Clusters.connect(server.address(), name);
        store = cluster.store();
    }

    @AfterEach
    void disconnect() {
        cluster.close();
        other.close();
    }

    @Test
    void whatIsNotThereIsEmpty() {
        assertThat(store.read("/a/b").join()).isEmpty();
        assertThat(store.children("/a/b").join()).isEmpty();
        assertThat(store.children("/").join()).isEmpty();
    }

    @Test
    void createMakesTheParentsOfEveryOperation() {
        commit(create("/a/b/c", "1"), create("/x/y", "2"), create("/x/y/z", "3"));
        assertThat(text("/a/b/c")).isEqualTo("1");
        assertThat(text("/x/y/z")).isEqualTo("3");
        assertThat(store.children("/").join()).containsExactly("a", "x");
        assertThat(store.children("/x").join()).containsExactly("y");
    }

    @Test
    void versionsCountChanges() {
        commit(create("/a", "1"));
        assertThat(store.read("/a").join().map(Versioned::version)).contains(0);
        commit(set("/a", "2", 0));
        commit(set("/a", "3", Operation.ANY));
        assertThat(store.read("/a").join().map(Versioned::version)).contains(2);
        assertThat(text("/a")).isEqualTo("3");
    }

    @Test
    void aRefusedCommitChangesNothing() {
        commit(create("/a", "1"), create("/b", "1"));

        assertRefused(CoordinationException.VersionConflict.class, "/b", set("/a", "2", 0), set("/b", "2", 7));
        assertRefused(CoordinationException.VersionConflict.class, "/b", set("/a", "2", 0), new Check("/b", 7));
        assertRefused(CoordinationException.NodeExists.class, "/b", set("/a", "2", 0), create("/b", "2"));
        assertRefused(CoordinationException.NoSuchNode.class, "/c", set("/a", "2", 0), set("/c", "2", 0));
        assertRefused(CoordinationException.NoSuchNode.class, "/c", set("/a", "2", 0), new Delete("/c", 0));
        assertRefused(CoordinationException.NoSuchNode.class, "/c", set("/a", "2", 0), new Check("/c", Operation.ANY));

        assertThat(text("/a")).isEqualTo("1");
    }

    @Test
    void aNodeWithChildrenCannotBeDeleted() {
        commit(create("/a/b", "1"));
        assertRefused(CoordinationException.NodeExists.class, "/a", new Delete("/a", Operation.ANY));
        commit(new Delete("/a/b", 0), new Delete("/a", Operation.ANY));
        assertThat(store.read("/a").join()).isEmpty();
    }

    @Test
    void ephemeralNodesGoWithTheSession() {
        commit(new Create("/a", new byte[0], true));
        cluster.close();
        await().until(() -> other.store().read("/a").join().isEmpty());
    }

    @Test
    void malformedPathsAndTooMuchContentAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> store.read("a"));
        assertThatIllegalArgumentException().isThrownBy(() -> store.read("/a/"));
        assertThatIllegalArgumentException().isThrownBy(() -> store.commit(List.of(create("/a/../b", ""))));
        assertThatIllegalArgumentException().isThrownBy(() -> store.commit(List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.commit(List.of(new Create("/a", new byte[1 << 20], false))))
                .withMessageContaining("1048576 bytes at /a");
    }

    @Test
    void aWatchTellsOfTheNodeAndItsChildrenAndNothingDeeper() {
        AtomicInteger calls = new AtomicInteger();
        Subscription watch = store.watch("/jobs", calls::incrementAndGet);
        AtomicInteger before = new AtomicInteger();
        await().until(() -> calls.get() > 0);

        for (Operation change : List.of(
                create("/jobs", ""),
                set("/jobs", "1", Operation.ANY),
                create("/jobs/7", ""),
                set("/jobs/7", "1", Operation.ANY),
                new Delete("/jobs/7", Operation.ANY))) {
            before.set(calls.get());
            other.store().commit(List.of(change)).join();
            await().until(() -> calls.get() > before.get());
        }

        commit(create("/jobs/8", ""));
        await().until(() -> calls.get() > before.get() + 1);
        before.set(calls.get());
        commit(create("/jobs/8/manifest", ""));
        watch.close();
        commit(create("/jobs/9", ""));
        commit(create("/jobs/10", ""));
        assertThat(calls).hasValue(before.get());
    }

    @Test
    void aWatchCallsAgainWhenTheConnectionCameBack() {
        AtomicInteger calls = new AtomicInteger();
        store.watch("/jobs", calls::incrementAndGet);
        await().until(() -> calls.get() > 0);
        int before = calls.get();
        relay.cut();
        other.store().commit(List.of(create("/jobs/7", ""))).join();
        relay.mend();
        await().until(() -> calls.get() > before);
        assertThat(store.children("/jobs").join()).containsExactly("7");
    }

    @Test
    void callsWaitForTheConnectionToComeBack() {
        commit(create("/a", "1"));
        relay.cut();
        await().until(() -> cluster.connection().get() != ConnectionState.CONNECTED);
        var read = store.read("/a");
        var commit = store.commit(List.of(create("/b", "")));
        assertThat(read).isNotDone();

        relay.mend();

        assertThat(new String(read.join().orElseThrow().data(), UTF_8)).isEqualTo("1");
        commit.join();
        assertThat(store.read("/b").join()).isPresent();
    }

    @Test
    void callsFailWhenTheConnectionStaysAway() {
        relay.cut();
        try (ZooKeeperCluster impatient =
                ZooKeeperCluster.connect(relay.address().toString(), "test", Clusters.IMPATIENT)) {
            assertThatThrownBy(() -> impatient.store().read("/a").get())
                    .hasCauseInstanceOf(CoordinationException.Unavailable.class);
            assertThatThrownBy(() ->
                            impatient.store().commit(List.of(create("/b", ""))).get())
                    .hasCauseInstanceOf(CoordinationException.Unavailable.class);
        }
        assertThat(other.store().read("/b").join()).isEmpty();
    }

    private void commit(Operation... operations) {
        store.commit(List.of(operations)).join();
    }

    private String text(String path) {
        return new String(store.read(path).join().orElseThrow().data(), UTF_8);
    }

    private void assertRefused(Class<? extends CoordinationException> expected, String named, Operation... operations) {
        assertThatThrownBy(() -> store.commit(List.of(operations)).get())
                .hasCauseInstanceOf(expected)
                .hasMessageContaining(named);
    }

    private static Operation create(String path, String content) {
        return new Create(path, content.getBytes(UTF_8), false);
    }

    private static Operation set(String path, String content, int version) {
        return new Operation.Set(path, content.getBytes(UTF_8), version);
    }
}
