// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import static io.albm.core.zookeeper.Clusters.await;
import static io.albm.core.zookeeper.Clusters.cacheServer;
import static io.albm.core.zookeeper.Clusters.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.ConnectionState;
import io.albm.core.cluster.DuplicateNodeException;
import io.albm.core.cluster.Registration;
import io.albm.core.cluster.Subscription;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

final class ZooKeeperClusterTest {
    private static EmbeddedZooKeeper server;
    private static Relay relay;

    private String name;
    private ZooKeeperCluster here;
    private ZooKeeperCluster there;

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

    /** "here" is behind the relay and can be cut off, "there" cannot. */
    @BeforeEach
    void connect(TestInfo test) {
        name = test.getTestMethod().orElseThrow().getName().toLowerCase(java.util.Locale.ROOT);
        relay.mend();
        here = Clusters.connect(relay.address(), name);
        there = Clusters.connect(server.address(), name);
    }

    @AfterEach
    void disconnect() {
        here.close();
        there.close();
    }

    @Test
    void membersSeeEachOtherComeChangeAndGo() {
        Registration registration = here.join(cacheServer("cache-1"));
        registration.registered().join();
        await().until(
                        () -> there.members(Role.CACHE_SERVER).get(),
                        Map.of(id("cache-1"), cacheServer("cache-1"))::equals);

        Member moved = new Member(
                id("cache-1"),
                Role.CACHE_SERVER,
                Map.of(),
                Map.of("pid", "7"),
                "2",
                cacheServer("cache-1").started());
        registration.update(moved);
        await().until(() -> there.members(Role.CACHE_SERVER).get(), Map.of(id("cache-1"), moved)::equals);

        registration.close();
        await().until(() -> there.members(Role.CACHE_SERVER).get(), Map::isEmpty);
        assertThat(here.connection().get()).isEqualTo(ConnectionState.CONNECTED);
    }

    @Test
    void closingAClusterTakesItsMembersOut() {
        here.join(cacheServer("cache-1")).registered().join();
        await().until(() -> there.members(Role.CACHE_SERVER).get().size() == 1);
        here.close();
        await().until(() -> there.members(Role.CACHE_SERVER).get(), Map::isEmpty);
    }

    @Test
    void aViewIsLoadedWhenItIsKnownThatNobodyIsThere() {
        assertThat(here.members(Role.STORAGE_NODE).loaded().join()).isEmpty();
        assertThat(here.counters().loaded().join()).isEmpty();
        assertThat(here.configuration("distributor").loaded().join()).isEmpty();
    }

    @Test
    void listenersGetTheCurrentValueAndThenChangesOnOneThread() {
        List<Map<NodeId, Member>> seen = new CopyOnWriteArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        Subscription subscription = there.members(Role.CACHE_SERVER).onChange(members -> {
            seen.add(members);
            threads.add(Thread.currentThread());
        });
        await().until(() -> !seen.isEmpty());
        here.join(cacheServer("cache-1"));
        await().until(() -> seen.getLast().containsKey(id("cache-1")));
        assertThat(seen.getFirst()).isEmpty();
        assertThat(threads).containsOnly(threads.getFirst());

        subscription.close();
        int before = seen.size();
        here.join(cacheServer("cache-2"));
        await().until(() -> there.members(Role.CACHE_SERVER).get().size() == 2);
        there.members(Role.CACHE_SERVER).loaded().join();
        assertThat(seen).hasSize(before);
    }

    @Test
    void aMemberReturnsAfterItsSessionExpired() {
        here.join(cacheServer("cache-1")).registered().join();
        here.publish(report("cache-1", 1));
        await().until(() -> there.members(Role.CACHE_SERVER).get().size() == 1
                && there.counters().get().size() == 1);

        relay.cut();
        await().until(() -> there.members(Role.CACHE_SERVER).get().isEmpty()
                && there.counters().get().isEmpty());
        relay.mend();
        await().until(
                        () -> there.members(Role.CACHE_SERVER).get(),
                        Map.of(id("cache-1"), cacheServer("cache-1"))::equals);
        await().until(() -> there.counters().get().get(id("cache-1")), report("cache-1", 1)::equals);
    }

    @Test
    void viewsKeepTheirValueWhileTheConnectionIsLost() {
        there.join(cacheServer("cache-1")).registered().join();
        there.configure("distributor", "policy", "round-robin").join();
        var members = here.members(Role.CACHE_SERVER);
        var settings = here.configuration("distributor");
        await().until(() -> members.get().size() == 1 && settings.get().size() == 1);
        List<Map<NodeId, Member>> seen = new CopyOnWriteArrayList<>();
        members.onChange(seen::add);

        relay.cut();
        await().until(() -> here.connection().get() == ConnectionState.LOST);
        assertThat(members.get()).containsOnlyKeys(id("cache-1"));
        assertThat(settings.get()).containsEntry("policy", "round-robin");

        there.join(cacheServer("cache-2")).registered().join();
        relay.mend();
        await().until(() -> members.get().size() == 2);
        assertThat(seen).allSatisfy(map -> assertThat(map).containsKey(id("cache-1")));
    }

    @Test
    void aSecondProcessWithTheSameIdIsRefused() {
        here.join(cacheServer("cache-1")).registered().join();
        Registration second = there.join(cacheServer("cache-1"));
        assertThatThrownBy(() -> second.registered().get())
                .hasCauseInstanceOf(DuplicateNodeException.class)
                .hasMessageContaining("node id cache-1 is in use by process "
                        + ProcessHandle.current().pid())
                .hasMessageContaining("http 127.0.0.1:8101")
                .hasMessageContaining("--id");
        assertThat(here.members(Role.CACHE_SERVER).loaded().join()).hasSize(1);
    }

    @Test
    void oneProcessJoinsOncePerIdAndRole() {
        Registration first = here.join(cacheServer("cache-1"));
        assertThatIllegalStateException().isThrownBy(() -> here.join(cacheServer("cache-1")));
        first.registered().join();
        first.close();
        here.join(cacheServer("cache-1")).registered().join();
    }

    @Test
    void theLatestReportWinsWhoeverIsQuick() {
        IntStream.rangeClosed(1, 1000).forEach(sequence -> here.publish(report("cache-1", sequence)));
        await().until(() -> there.counters().get().get(id("cache-1")), report("cache-1", 1000)::equals);
    }

    @Test
    void concurrentChangesOfOneScopeAreAllKept() {
        List<CompletableFuture<Void>> changes = IntStream.range(0, 10)
                .mapToObj(key -> (key % 2 == 0 ? here : there).configure("distributor", "key-" + key, "v" + key))
                .toList();
        changes.forEach(CompletableFuture::join);
        await().until(() -> here.configuration("distributor").get().size() == 10);
        there.configure("distributor", "key-3", null).join();
        await().until(() -> !here.configuration("distributor").get().containsKey("key-3"));
        assertThat(here.configuration("distributor").get()).hasSize(9).containsEntry("key-4", "v4");
    }

    @Test
    void scopesHaveNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> here.configuration("../members"))
                .withMessageContaining("scope '../members'");
        here.configure("drain/cache-1", "since", "now").join();
        await().until(() -> there.configuration("drain/cache-1").get(), Map.of("since", "now")::equals);
    }

    @Test
    void clustersOfDifferentNamesDoNotMeet() {
        try (Cluster other = Clusters.connect(server.address(), "other")) {
            here.join(cacheServer("cache-1")).registered().join();
            assertThat(other.members(Role.CACHE_SERVER).loaded().join()).isEmpty();
        }
    }

    @Test
    void anotherEnsembleHasMembersOfItsOwnUntilTheClusterIsClosed(@TempDir Path data) throws Exception {
        try (EmbeddedZooKeeper second = EmbeddedZooKeeper.start(data, new NodeAddress("127.0.0.1", 0));
                Cluster observer = Clusters.connect(second.address(), name)) {
            String servers = second.address().toString();
            here.ensemble(servers).join(cacheServer("cache-1")).registered().join();

            await().until(() -> observer.members(Role.CACHE_SERVER).get().containsKey(id("cache-1")));
            assertThat(there.members(Role.CACHE_SERVER).loaded().join()).isEmpty();
            assertThat(here.ensemble(servers)).isSameAs(here.ensemble(servers));

            here.close();
            await().until(() -> observer.members(Role.CACHE_SERVER).get().isEmpty());
            assertThatIllegalStateException().isThrownBy(() -> here.ensemble(servers));
        }
    }

    @Test
    void malformedEntriesAreLeftOut() {
        here.store()
                .commit(List.of(new io.albm.core.cluster.Operation.Create(
                        "/members/cache-server/cache-9",
                        "not json".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                        false)))
                .join();
        here.join(cacheServer("cache-1")).registered().join();
        assertThat(there.members(Role.CACHE_SERVER).loaded().join()).containsOnlyKeys(id("cache-1"));
    }

    private static NodeId id(String value) {
        return new NodeId(value);
    }
}
