// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import static io.albm.core.zookeeper.Clusters.await;
import static io.albm.core.zookeeper.Clusters.cacheServer;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cluster.Leadership.Leader;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EnsembleTest {
    private static final SessionSettings SETTINGS = new SessionSettings(Duration.ofSeconds(4), Duration.ofSeconds(30));

    /** One of the two servers is the ensemble's leader or follows the third, whichever was elected. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void theClusterGoesOnWithoutOneOfThreeServers(int lost, @TempDir Path directory) throws Exception {
        try (Ensemble ensemble = Ensemble.start(directory);
                ZooKeeperCluster first = ZooKeeperCluster.connect(ensemble.connectString(), "test", SETTINGS);
                ZooKeeperCluster second = ZooKeeperCluster.connect(ensemble.connectString(), "test", SETTINGS)) {
            first.join(cacheServer("cache-1")).registered().join();
            var election = first.elect(Role.COORDINATOR, new NodeId("c-1"));
            await().until(() -> election.leadership().get() instanceof Leader);
            first.configure("distributor", "policy", "round-robin").join();

            ensemble.stop(lost);

            await().ignoreExceptions().until(() -> {
                second.configure("distributor", "policy", "albm-threshold").join();
                return true;
            });
            second.join(cacheServer("cache-2")).registered().join();
            await().until(() -> first.members(Role.CACHE_SERVER).get().size() == 2);
            await().until(() -> first.configuration("distributor").get().get("policy"), "albm-threshold"::equals);
            assertThat(election.leadership().get()).isInstanceOf(Leader.class);
        }
    }
}
