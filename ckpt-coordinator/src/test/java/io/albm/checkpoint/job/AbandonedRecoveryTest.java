// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.protocol.Interval;
import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.savings.CheckpointPages;
import io.albm.checkpoint.savings.PageSource;
import io.albm.checkpoint.savings.StatePlan;
import io.albm.checkpoint.strategy.CheckpointStrategies;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.Versioned;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.StripeSettings;
import io.albm.storage.node.StorageRig;
import io.albm.storage.table.ClusterStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is on its way for a recovery that nobody waits for any more, over real storage. */
@Timeout(60)
class AbandonedRecoveryTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final NodeAddress KEEPER = new NodeAddress("127.0.0.1", 1);
    private static final int SIZE = 40_000;
    private static final JobSpec SPEC =
            new JobSpec("job", 1, new Interval.Fixed(60_000), 0, 20_000, 20_000, CheckpointStrategies.DEFAULT, 3, 2, 0);

    private final Transport transport = Transport.open(2);
    private final FrameClient client = new FrameClient(transport);
    private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
    private final RankCommand command = new RankCommand(List.of("true"), Map.of(), "/", null);
    private final JobPaths paths = new JobPaths(SPEC.name());

    @TempDir
    private Path dir = Path.of("");

    private StorageRig rig;
    private ZooKeeperCluster cluster;
    private StripedCheckpointFiles files;

    @BeforeEach
    void start() throws Exception {
        rig = StorageRig.start(dir, 2);
        rig.announce();
        cluster = ZooKeeperCluster.connect(rig.zooKeeper(), StorageRig.CLUSTER);
        files = new StripedCheckpointFiles(
                ClusterStorage.open(cluster, client, StripeSettings.DEFAULT), transport.blocking());
    }

    @AfterEach
    void stop() throws Exception {
        loop.shutdownNow();
        client.close();
        cluster.close();
        transport.close();
        rig.close();
    }

    @Test
    void whatCannotBeReachedIsNotAskedForAgain() throws Exception {
        Unreachable unreachable = new Unreachable(cluster.store());
        JobStore store = new JobStore(unreachable, SPEC.name());
        BlockingQueue<Runnable> retries = new LinkedBlockingQueue<>();
        ThisHost source = new ThisHost("here", 1, command, dir.resolve("job"), store, files, transport, () -> 1);
        JobHosts hosts = new JobHosts(SPEC, store, source, new Silent(), loop);
        PartnerCopies copies = new PartnerCopies(source.partners(), hosts, loop, _ -> {});
        RankRecovery recovery =
                new RankRecovery(store, files, hosts, copies, loop, (_, again) -> retries.add(again), _ -> {});
        var _ = onLoop(recovery::begin);
        onLoop(retries.take()).join();
        assertThat(unreachable.asked).as("for as long as it takes").hasValue(2);
        Runnable again = retries.take();
        onLoop(recovery::abandon).join();
        onLoop(again).join();
        assertThat(unreachable.asked).hasValue(2);
        onLoop(hosts::close).join();
    }

    @Test
    void aLaterRestoreOfARankEndsTheOneBefore() throws Exception {
        BlockingQueue<CopyRange> asked = new LinkedBlockingQueue<>();
        CompletableFuture<Void> answered = new CompletableFuture<>();
        byte[] abandoned = random(1);
        byte[] wanted = random(2);
        CopyLink link = (_, range) -> {
            asked.add(range);
            answered.join();
            byte[] state = range.checkpoint() == 1 ? abandoned : wanted;
            return Arrays.copyOfRange(state, (int) range.offset(), (int) range.offset() + range.length());
        };
        LocalHost host = new LocalHost(
                "here",
                1,
                command,
                dir.resolve("job"),
                new JobStore(cluster.store(), SPEC.name()),
                files,
                link,
                transport,
                new Silent(),
                loop);
        RestoreOrder first = order(1, abandoned);
        RestoreOrder second = order(2, wanted);
        CompletableFuture<?> ended = host.restore(first);
        assertThat(asked.take().checkpoint()).isEqualTo(1);
        CompletableFuture<?> restored = host.restore(second);
        answered.complete(null);
        assertThat(ended).failsWithin(PATIENCE).withThrowableThat().withMessageContaining("not wanted any more");
        assertThat(restored).succeedsWithin(PATIENCE);
        assertThat(host.restored(0)).hasBinaryContent(wanted);
        host.close();
    }

    /** Its pages are nowhere but with its keeper. */
    private RestoreOrder order(long checkpoint, byte[] state) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(state);
        CheckpointPages pages = new CheckpointPages(checkpoint, paths);
        StatePlan plan = pages.plan(0, PageSource.of(state), SIZE, new LocalCopy(SIZE, crc.getValue()));
        byte[] index = plan.index().bytes();
        StoredUnit unit = pages.stored(0, SIZE, index);
        files.write(unit.path(), index).join();
        return new RestoreOrder(unit, KEEPER);
    }

    private static byte[] random(long seed) {
        byte[] bytes = new byte[SIZE];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private CompletableFuture<Void> onLoop(Runnable action) {
        return CompletableFuture.runAsync(action, loop);
    }

    /** A coordination store that cannot be asked which checkpoints may be used. */
    private final class Unreachable implements CoordinationStore {
        private final CoordinationStore store;
        private final AtomicInteger asked = new AtomicInteger();

        Unreachable(CoordinationStore store) {
            this.store = store;
        }

        @Override
        public CompletableFuture<Optional<Versioned>> read(String path) {
            if (path.equals(paths.marks())) {
                asked.incrementAndGet();
                return CompletableFuture.failedFuture(new CoordinationException.Unavailable("away"));
            }
            return store.read(path);
        }

        @Override
        public CompletableFuture<List<String>> children(String path) {
            return store.children(path);
        }

        @Override
        public CompletableFuture<Void> commit(List<Operation> operations) {
            return store.commit(operations);
        }

        @Override
        public Subscription watch(String path, Runnable onChange) {
            return store.watch(path, onChange);
        }
    }

    private static final class Silent implements RankHost.Listener {
        @Override
        public void output(int rank, String line) {}

        @Override
        public void exited(RankExit exit) {}

        @Override
        public void lost(String host, String reason) {}

        @Override
        public void superseded(String host) {}

        @Override
        public void notice(String text) {}
    }
}
