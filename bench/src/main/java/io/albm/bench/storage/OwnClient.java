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
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** Writes, reads and removes files with our own client, with no mount between, as it is asked to. Answers with a {@link Tally} of bytes. */
public final class OwnClient {
    private static final String DIRECTORY = "/own-client/";
    private static final long NODES_BOUND_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final StripedStore store;

    private OwnClient(StripedStore store) {
        this.store = store;
    }

    /** {@code ZOOKEEPER CLUSTER NODES PARITY}, and is asked {@code write|read|remove NAME BLOCKS}. */
    public static void main(String... arguments) {
        StripeSettings usual = StripeSettings.DEFAULT;
        StripeSettings settings = new StripeSettings(
                usual.unitBytes(),
                usual.maxDataUnits(),
                Integer.parseInt(arguments[3]),
                usual.stripesInFlight(),
                usual.deadline());
        System.exit(Program.status(() -> {
            try (Transport transport = Transport.open();
                    FrameClient client = new FrameClient(transport);
                    Cluster cluster = ZooKeeperCluster.connect(arguments[0], arguments[1])) {
                OwnClient own = new OwnClient(ClusterStorage.open(cluster, client, settings));
                own.awaitNodes(Integer.parseInt(arguments[2]));
                Program.answer(question ->
                        own.run(question.get(0), DIRECTORY + question.get(1), Integer.parseInt(question.get(2))));
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

    private Tally run(String operation, String path, int blocks) throws IOException {
        return switch (operation) {
            case "write" -> write(path, blocks);
            case "read" -> read(path, blocks);
            default -> remove(path, blocks);
        };
    }

    private Tally remove(String path, int blocks) throws IOException {
        long begin = System.nanoTime();
        if (store.stat(path).isPresent()) {
            store.delete(path);
        }
        return Tally.since(begin, (long) blocks * Content.BLOCK);
    }

    private Tally write(String path, int blocks) throws IOException {
        long begin = System.nanoTime();
        store.writeFile(path, new Content().stream(blocks), PutMode.REPLACE);
        return Tally.since(begin, (long) blocks * Content.BLOCK);
    }

    private Tally read(String path, int blocks) throws IOException {
        Content content = new Content();
        int block = 0;
        long begin = System.nanoTime();
        try (StripedInputStream in = store.open(path)) {
            for (ByteBuffer bytes = in.next(); bytes != null; bytes = in.next()) {
                content.check(bytes, block++);
            }
        }
        if (block < blocks) {
            throw new EOFException(path + " ends behind block " + block);
        }
        return Tally.since(begin, (long) blocks * Content.BLOCK);
    }
}
