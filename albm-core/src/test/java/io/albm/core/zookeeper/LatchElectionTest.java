// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import static io.albm.core.zookeeper.Clusters.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.ConnectionState;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.Election;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Leadership.Leader;
import io.albm.core.cluster.Operation;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

final class LatchElectionTest {
    private static final Role ROLE = Role.COORDINATOR;

    private static EmbeddedZooKeeper server;
    private static Relay relay;

    private ZooKeeperCluster first;
    private ZooKeeperCluster second;

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
        first = Clusters.connect(relay.address(), name);
        second = Clusters.connect(server.address(), name);
    }

    @AfterEach
    void disconnect() {
        first.close();
        second.close();
    }

    @Test
    void oneOfTwoLeadsAndSteppingDownHandsOverUnderAHigherEpoch() {
        Election mine = elect(first, "c-1");
        Leader leader = awaitLeader(mine);
        Election theirs = elect(second, "c-2");
        assertThat(second.store()
                        .read(Leadership.epochPath(ROLE))
                        .join()
                        .orElseThrow()
                        .version())
                .isEqualTo((int) leader.epoch());
        assertThat(theirs.leadership().get()).isEqualTo(new Leadership.Follower());

        mine.close();

        assertThat(awaitLeader(theirs).epoch()).isGreaterThan(leader.epoch());
        await().until(() -> mine.leadership().get(), new Leadership.Follower()::equals);
    }

    @Test
    void whoStandsAgainBesideItsOldElectionLeadsUnderAHigherEpoch() {
        long epoch = 0;
        for (int round = 0; round < 20; round++) {
            Election mine = elect(first, "c-1");
            Leader leader = awaitLeader(mine);
            assertThat(leader.epoch()).isGreaterThan(epoch);
            epoch = leader.epoch();
            mine.close();
        }
    }

    @Test
    void aLeaderThatWasCutOffCannotCommitUnderItsOldEpoch() {
        Leader deposed = awaitLeader(elect(first, "c-1"));
        first.store().commit(decision(deposed, "/jobs/1/by-first")).join();
        Election theirs = elect(second, "c-2");

        relay.cut();
        Leader leader = awaitLeader(theirs);
        second.store().commit(decision(leader, "/jobs/1/by-second")).join();
        relay.mend();
        await().until(() -> first.connection().get() == ConnectionState.CONNECTED);

        assertThatThrownBy(() -> first.store()
                        .commit(decision(deposed, "/jobs/1/too-late"))
                        .get())
                .hasCauseInstanceOf(CoordinationException.VersionConflict.class);
        assertThat(first.store().children("/jobs/1").join()).containsExactly("by-first", "by-second");
    }

    @Test
    void aBreakShorterThanTheSessionDeposesNobody() {
        Election mine = elect(first, "c-1");
        Leader leader = awaitLeader(mine);
        relay.cut();
        await().until(() -> first.connection().get() == ConnectionState.SUSPENDED);
        assertThat(mine.leadership().get()).isEqualTo(leader);
    }

    @Test
    void losingTheSessionEndsLeadershipAndTheNextHasAHigherEpoch() {
        Election mine = elect(first, "c-1");
        Leader before = awaitLeader(mine);
        relay.cut();
        await().until(() -> mine.leadership().get(), new Leadership.Follower()::equals);
        relay.mend();
        assertThat(awaitLeader(mine).epoch()).isGreaterThan(before.epoch());
    }

    private static List<Operation> decision(Leader leader, String path) {
        return List.of(leader.fence(ROLE), new Operation.Create(path, new byte[0], false));
    }

    private static Election elect(Cluster cluster, String node) {
        return cluster.elect(ROLE, new NodeId(node));
    }

    private static Leader awaitLeader(Election election) {
        return (Leader) await().until(() -> election.leadership().get(), Leader.class::isInstance);
    }
}
