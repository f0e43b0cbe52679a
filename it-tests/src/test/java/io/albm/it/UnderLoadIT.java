// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Faults under a steady load: no request fails, and no client's connection is closed. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.SAME_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class UnderLoadIT {
    private static final int SMALL_CLIENTS = 8;
    private static final int LARGE_CLIENTS = 2;
    private static final int BIG_BYTES = 10 << 20;
    private static final int MANY = 200;
    private static final Duration OUTAGE = Duration.ofSeconds(60);

    private final RunningCluster cluster;
    private final byte[] big = new byte[BIG_BYTES];

    UnderLoadIT(RunningCluster cluster) throws IOException {
        this.cluster = cluster;
        new Random(1).nextBytes(big);
        cluster.addDocument("big.bin", big);
    }

    @Test
    void killingBackendsFailsNoRequest() throws Exception {
        try (SteadyLoad load = SteadyLoad.of(clients())) {
            for (String victim : List.of("cache-1", "cache-2", "cache-1")) {
                load.awaitAnswers(MANY);
                cluster.kill(victim);
                load.awaitAnswers(MANY);
                cluster.restart(victim);
                cluster.awaitWhole();
            }
            load.awaitAnswers(MANY);
            assertThat(load.failures()).isEmpty();
        }
    }

    @Test
    void aMinuteWithoutZooKeeperFailsNoRequest() throws Exception {
        try (SteadyLoad load = SteadyLoad.of(clients(), Duration.ofMillis(100))) {
            load.awaitAnswers(MANY);
            cluster.kill("zookeeper");
            await().atMost(OUTAGE.plusSeconds(30))
                    .during(OUTAGE)
                    .until(() -> load.failures().isEmpty());
            assertThat(cluster.health("distributor")).contains("serving with the last view");

            cluster.restart("zookeeper");
            cluster.awaitWhole();
            assertThat(cluster.albm("policy", "least-connections").exitCode()).isZero();
            await().until(() -> cluster.routing().path("policy").asText(), "least-connections"::equals);
            assertThat(cluster.albm("policy", "--reset").exitCode()).isZero();
            load.awaitAnswers(MANY);
            assertThat(load.failures()).isEmpty();
        }
    }

    private List<SteadyLoad.Client> clients() throws IOException {
        NodeAddress distributor = cluster.endpoint("distributor", "http");
        byte[] small = RunningCluster.CONTENT.getBytes(StandardCharsets.UTF_8);
        List<SteadyLoad.Client> clients = new ArrayList<>();
        for (int i = 0; i < SMALL_CLIENTS; i++) {
            clients.add(
                    i % 2 == 0
                            ? SteadyClients.http1(distributor, RunningCluster.DOCUMENT, small)
                            : SteadyClients.http2(distributor, RunningCluster.DOCUMENT, small));
        }
        for (int i = 0; i < LARGE_CLIENTS; i++) {
            clients.add(SteadyClients.http1(distributor, "/big.bin", big));
        }
        return clients;
    }
}
