// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.DrainRecord;
import io.albm.checkpoint.protocol.Interval;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.strategy.CheckpointStrategies;
import io.albm.core.admin.AdminServer;
import io.albm.core.admin.Health;
import io.albm.core.config.Configuration;
import io.albm.core.metrics.Metrics;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleService;
import io.albm.core.time.MonotonicClock;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.node.StorageRig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real coordinator over real I/O nodes and a real ZooKeeper; the ranks are played. */
@Timeout(60)
class CoordinatorRoleTest {
    private static final List<String> NODES = List.of("n-1", "n-2", "n-3");
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final long RATE = 36_800_000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Transport transport = Transport.open(2);
    private final Metrics metrics = new Metrics(Role.COORDINATOR, new NodeId("c-1"));

    @TempDir
    private Path dir = Path.of("");

    private StorageRig rig;
    private ZooKeeperCluster cluster;
    private AdminServer admin;
    private RoleService coordinator;

    @BeforeEach
    void start() throws Exception {
        rig = StorageRig.start(dir, NODES.size());
        rig.announce();
        cluster = ZooKeeperCluster.connect(rig.zooKeeper(), StorageRig.CLUSTER);
        cluster.members(Role.STORAGE_NODE).loaded().join();
        CoordinatorRole role = new CoordinatorRole();
        Configuration configuration =
                CoordinatorKeysTest.configuration(Map.of("link-speed", "40MB", "politeness", "fast"));
        Health health = new Health(InstantSource.system());
        admin = new AdminServer(transport, ANY_PORT, Role.COORDINATOR, new NodeId("c-1"), health, metrics);
        coordinator = role.create(new RoleContext(
                Role.COORDINATOR,
                configuration,
                cluster,
                metrics,
                transport,
                health,
                admin,
                MonotonicClock.system(),
                dir));
        cluster.join(coordinator.start()).registered().join();
    }

    @AfterEach
    void stop() throws Exception {
        coordinator.close();
        admin.close();
        cluster.close();
        transport.close();
        metrics.close();
        rig.close();
    }

    @Test
    void aDrainSetsTheRatesOfAllIoNodesCommitsAndTakesTheRatesBack() throws Exception {
        JobSpec spec = new JobSpec(
                "paced", 3, new Interval.Fixed(100), 0, 20_000, 20_000, CheckpointStrategies.DEFAULT, 3, 2, 0);
        JobStore store = new JobStore(cluster.store(), spec.name());
        store.create(spec).join();
        Set<Long> ratesWhileWriting = new CopyOnWriteArraySet<>();
        try (PlayedSupervisor supervisor = new PlayedSupervisor(spec, cluster, transport, () -> {
            await().atMost(PATIENCE).until(this::allNodesArePaced);
            NODES.forEach(node -> ratesWhileWriting.add(rig.bytesPerSecond(node)));
        })) {
            supervisor.register();
            await().atMost(PATIENCE)
                    .until(() -> !store.committedNumbers().join().isEmpty());
            Committed entry = store.committed(1).join().orElseThrow();
            assertThat(entry.bytes()).isEqualTo(3L * PlayedSupervisor.BYTES);
            assertThat(ratesWhileWriting).containsExactly(RATE);
            await().atMost(PATIENCE).until(this::noNodeIsPaced);
            await().atMost(PATIENCE).until(() -> store.explained(1).join().isPresent());
        }
        DrainRecord record = store.explained(1).join().orElseThrow();
        assertThat(record.strategy()).isEqualTo("credit-window");
        assertThat(record.failure()).isEmpty();
        assertThat(record.why()).startsWith("window 3: fast");
        assertThat(record.bytes()).isEqualTo(3L * PlayedSupervisor.BYTES);
        assertThat(record.phaseMillis()).containsKeys("PREPARE", "SNAPSHOT", "LOCAL_DONE", "DRAIN", "VERIFY", "COMMIT");
        assertThat(record.samples())
                .isNotEmpty()
                .anySatisfy(sample -> assertThat(sample.totalBytesPerSecond()).isEqualTo(3.0 * RATE));
        assertThat(record.ports()).extracting(port -> port.node()).containsExactlyInAnyOrderElementsOf(NODES);
        assertThat(record.ports())
                .allSatisfy(port -> assertThat(port.baseMicros()).isPositive());
        assertThat(metrics.prometheusText()).contains("albm_checkpoint_phase_seconds_count{phase=\"drain\"} 1");
    }

    private boolean allNodesArePaced() {
        return NODES.stream().allMatch(node -> rig.bytesPerSecond(node) > 0);
    }

    private boolean noNodeIsPaced() {
        return NODES.stream().noneMatch(node -> rig.bytesPerSecond(node) > 0);
    }
}
