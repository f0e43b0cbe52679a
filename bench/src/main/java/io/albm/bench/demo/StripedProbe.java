// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import io.albm.core.cluster.Cluster;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeId;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.PutMode;
import io.albm.storage.ScrubReport;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import io.albm.storage.table.ClusterStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;

/** A file of known bytes in the striped storage, and what is done to it. */
final class StripedProbe implements AutoCloseable {
    private static final String PATH = "/demo/probe";
    private static final int BYTES = 24 << 20;

    private final Transport transport = Transport.open(1);
    private final FrameClient client = new FrameClient(transport);
    private final Cluster cluster;
    private final StripedStore store;
    private final byte[] content = new byte[BYTES];

    StripedProbe(String zooKeeper, String clusterName) {
        cluster = ZooKeeperCluster.connect(zooKeeper, clusterName);
        store = ClusterStorage.open(cluster, client, StripeSettings.DEFAULT);
        new Random(1).nextBytes(content);
    }

    /** Whether all storage nodes are members now. */
    boolean sees(int nodes) {
        return store.nodes().size() == nodes;
    }

    void write() throws IOException {
        store.writeBytes(PATH, content, PutMode.CREATE);
    }

    /** Writes one byte otherwise than {@link #readsRight} expects it. */
    void writeWrong() throws IOException {
        byte[] wrong = content.clone();
        wrong[wrong.length / 2] ^= 1;
        store.writeBytes(PATH, wrong, PutMode.CREATE);
    }

    /** Whether the file has the right bytes now. */
    boolean readsRight() throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream(BYTES);
        store.readFile(PATH, read);
        return Arrays.equals(content, read.toByteArray());
    }

    /** Looks at every block that these nodes should have, and makes again what they have not. */
    ScrubReport scrub(Set<NodeId> nodes) throws IOException {
        return store.scrub(nodes, progress -> {});
    }

    @Override
    public void close() {
        client.close();
        cluster.close();
        transport.close();
    }
}
