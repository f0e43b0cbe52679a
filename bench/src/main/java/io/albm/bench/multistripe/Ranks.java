// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.checkpoint.strategy.Network;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.wire.FrameClient;
import io.albm.storage.FileTable;
import io.albm.storage.LiveNodes;
import io.albm.storage.PutMode;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedFiles;
import io.albm.storage.StripedStore;
import io.albm.storage.WireBlockClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The ranks of a job as clients of the storage, each on a host of its own with connections of its own. */
final class Ranks implements AutoCloseable {
    private static final Duration BLOCK_DEADLINE = Duration.ofSeconds(60);
    private static final Duration DRAIN_BOUND = Duration.ofMinutes(10);
    private static final int STRIPES_IN_FLIGHT = 5;
    private static final long SEED = 3;

    /** A plan may let more write because of the network alone. */
    private static final int ASK_MILLIS = 100;

    private final List<FrameClient> clients = new ArrayList<>();
    private final List<StripedStore> stores = new ArrayList<>();
    private final byte[] state;

    /** What became of a rank's write. */
    private record Written(int rank, @Nullable Exception failure) {}

    private Ranks(long bytes) {
        state = new byte[Math.toIntExact(bytes)];
        new SplittableRandom(SEED).nextBytes(state);
    }

    /** Connects all to all. */
    static Ranks connect(StorageHosts hosts, FileTable table, Scene scene) {
        Ranks ranks = new Ranks(scene.rankBytes());
        Map<NodeId, NodeAddress> nodes = hosts.addresses();
        Map<NodeId, Double> weights = new TreeMap<>();
        nodes.keySet().forEach(node -> weights.put(node, 1.0));
        LiveNodes live = () -> weights;
        // Without parity every byte of a rank is one on the wire, as in the paper.
        StripeSettings settings =
                new StripeSettings(scene.unitBytes(), scene.ports(), 0, STRIPES_IN_FLIGHT, BLOCK_DEADLINE);
        for (int rank = 0; rank < Scene.RANKS; rank++) {
            FrameClient client = new FrameClient(hosts.transport(rank));
            ranks.clients.add(client);
            nodes.values().forEach(node -> client.ping(node, BLOCK_DEADLINE).join());
            WireBlockClient blocks =
                    new WireBlockClient(client, node -> Optional.ofNullable(nodes.get(node)), BLOCK_DEADLINE);
            ranks.stores.add(new StripedStore(new StripedFiles(table, blocks, live, settings, new SecureRandom())));
        }
        return ranks;
    }

    /**
     * Stores the states of all ranks.
     *
     * @param network as it is now
     * @return seconds until the last one was durable
     * @throws IOException if one failed
     */
    double drain(DrainTurns turns, Supplier<Network> network) throws IOException, InterruptedException {
        BlockingQueue<Written> written = new LinkedBlockingQueue<>();
        long began = System.nanoTime();
        while (!turns.isDone()) {
            turns.next(network.get()).forEach(rank -> write(rank, written));
            Written next = written.poll(ASK_MILLIS, TimeUnit.MILLISECONDS);
            if (next != null && next.failure() != null) {
                throw new IOException("rank " + next.rank() + " failed: " + next.failure(), next.failure());
            }
            if (next != null) {
                turns.stored(next.rank());
            } else if (System.nanoTime() - began > DRAIN_BOUND.toNanos()) {
                throw new IOException("the checkpoint was not stored within " + DRAIN_BOUND);
            }
        }
        return (System.nanoTime() - began) / 1e9;
    }

    private void write(int rank, BlockingQueue<Written> written) {
        Thread.ofVirtual().name("rank-" + rank).start(() -> {
            try {
                stores.get(rank)
                        .writeFile(
                                path(rank),
                                StripedStore.Source.of(state.length, () -> new ByteArrayInputStream(state)),
                                PutMode.REPLACE);
                written.add(new Written(rank, null));
            } catch (IOException | RuntimeException e) {
                written.add(new Written(rank, e));
            }
        });
    }

    private static String path(int rank) {
        return "/checkpoint/rank-" + rank;
    }

    /** Removes what was stored. */
    void delete() throws IOException {
        for (int rank = 0; rank < Scene.RANKS; rank++) {
            stores.get(rank).delete(path(rank));
        }
    }

    @Override
    public void close() {
        clients.forEach(FrameClient::close);
    }
}
