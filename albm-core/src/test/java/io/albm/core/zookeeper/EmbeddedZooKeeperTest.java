// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import static io.albm.core.zookeeper.Clusters.await;
import static io.albm.core.zookeeper.Clusters.cacheServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.cluster.ConnectionState;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.Registration;
import io.albm.core.net.HeldPort;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedZooKeeperTest {
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);

    @TempDir
    Path data;

    @Test
    void keepsWhatItWasToldOverARestart() throws Exception {
        NodeAddress address;
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(data, ANY_PORT);
                ZooKeeperCluster cluster = Clusters.connect(server.address(), "test")) {
            address = server.address();
            cluster.configure("distributor", "policy", "least-connections").join();
        }
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(data, address);
                ZooKeeperCluster cluster = Clusters.connect(server.address(), "test")) {
            assertThat(cluster.configuration("distributor").loaded().join())
                    .containsEntry("policy", "least-connections");
        }
    }

    @Test
    void noMemberDropsOutOfAViewWhileItIsRestarted() throws Exception {
        EmbeddedZooKeeper server = EmbeddedZooKeeper.start(data, ANY_PORT);
        String servers = server.address().toString();
        // A restarted server ends a session that is not back within its timeout: longer than a reconnect takes here.
        try (ZooKeeperCluster member = ZooKeeperCluster.connect(servers, "test", SessionSettings.DEFAULT);
                ZooKeeperCluster observer = ZooKeeperCluster.connect(servers, "test", SessionSettings.DEFAULT)) {
            member.join(cacheServer("cache-1")).registered().join();
            await().until(() -> observer.members(Role.CACHE_SERVER).get().size() == 1);
            List<Map<NodeId, Member>> seen = new CopyOnWriteArrayList<>();
            observer.members(Role.CACHE_SERVER).onChange(seen::add);

            server.close();
            await().until(() -> member.connection().get() == ConnectionState.LOST
                    && observer.connection().get() == ConnectionState.LOST);
            server = EmbeddedZooKeeper.start(data, server.address());
            member.join(cacheServer("cache-2")).registered().join();
            await().until(() -> observer.members(Role.CACHE_SERVER).get().size() == 2);

            assertThat(seen).allSatisfy(members -> assertThat(members).containsKey(new NodeId("cache-1")));
        } finally {
            server.close();
        }
    }

    @Test
    void aClusterThatStartedFirstConnectsWhenZooKeeperComes() throws Exception {
        try (HeldPort held = HeldPort.at(ANY_PORT);
                ZooKeeperCluster cluster =
                        ZooKeeperCluster.connect(held.address().toString(), "test", Clusters.IMPATIENT)) {
            NodeAddress address = held.address();
            Registration registration = cluster.join(cacheServer("cache-1"));
            assertThatThrownBy(() -> cluster.store().read("/a").get())
                    .hasCauseInstanceOf(CoordinationException.Unavailable.class);
            assertThat(cluster.connection().get()).isEqualTo(ConnectionState.CONNECTING);
            assertThat(registration.registered()).isNotDone();

            try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(data, address)) {
                registration.registered().join();
                assertThat(server.address()).isEqualTo(address);
            }
        }
    }

    @Test
    void namesAnAddressThatIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            NodeAddress address = ANY_PORT.withPort(taken.getLocalPort());
            assertThatThrownBy(() -> EmbeddedZooKeeper.start(data, address))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(address + ": the port is in use by pid "
                            + ProcessHandle.current().pid());
        }
    }
}
