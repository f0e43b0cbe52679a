// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.core.cluster.Cluster;
import io.albm.core.net.Transport;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.PutMode;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedInputStream;
import io.albm.storage.StripedStore;
import io.albm.storage.table.ClusterStorage;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Writes, reads or removes a file with our own client, with no mount between, after {@link WarmUpPasses}. Prints a
 * {@link Tally} of bytes.
 */
public final class OwnClient {
    private static final String FILE = "/own-client/file";
    private static final String WARM_UP = "/own-client/warm-up";
    private static final long NODES_BOUND_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final StripedStore store;

    private OwnClient(StripedStore store) {
        this.store = store;
    }

    /** {@code write|read|remove ZOOKEEPER CLUSTER NODES PARITY BLOCKS}. */
    public static void main(String... arguments) {
        StripeSettings usual = StripeSettings.DEFAULT;
        StripeSettings settings = new StripeSettings(
                usual.unitBytes(),
                usual.maxDataUnits(),
                Integer.parseInt(arguments[4]),
                usual.stripesInFlight(),
                usual.deadline());
        System.exit(Program.status(() -> {
            try (Transport transport = Transport.open();
                    FrameClient client = new FrameClient(transport);
                    Cluster cluster = ZooKeeperCluster.connect(arguments[1], arguments[2])) {
                OwnClient own = new OwnClient(ClusterStorage.open(cluster, client, settings));
                own.awaitNodes(Integer.parseInt(arguments[3]));
                own.run(arguments[0], Integer.parseInt(arguments[5]));
            }
        }));
    }

    private void awaitNodes(int count) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + NODES_BOUND_NANOS;
        while (store.nodes().size() < count) {
            if (System.nanoTime() > deadline) {
                throw new IOException(store.nodes().size() + " of " + count + " storage nodes are there");
            }
            Thread.sleep(10);
        }
    }

    private void run(String operation, int blocks) throws IOException {
        switch (operation) {
            case "write" -> {
                WarmUpPasses.run(() -> write(WARM_UP, WarmUpPasses.BLOCKS));
                System.out.println(write(FILE, blocks));
            }
            case "read" -> {
                WarmUpPasses.run(() -> read(WARM_UP, WarmUpPasses.BLOCKS));
                System.out.println(read(FILE, blocks));
            }
            default -> {
                store.delete(WARM_UP);
                store.delete(FILE);
            }
        }
    }

    private Tally write(String path, int blocks) throws IOException {
        long begin = System.nanoTime();
        store.writeFile(path, new Content().stream(blocks), PutMode.REPLACE);
        return Tally.since(begin, (long) blocks * Content.BLOCK);
    }

    private Tally read(String path, int blocks) throws IOException {
        Content content = new Content();
        byte[] block = new byte[Content.BLOCK];
        long begin = System.nanoTime();
        try (StripedInputStream in = store.open(path)) {
            for (int i = 0; i < blocks; i++) {
                if (in.readNBytes(block, 0, block.length) < block.length) {
                    throw new EOFException(path + " ends in block " + i);
                }
                content.check(block, i);
            }
        }
        return Tally.since(begin, (long) blocks * Content.BLOCK);
    }
}
