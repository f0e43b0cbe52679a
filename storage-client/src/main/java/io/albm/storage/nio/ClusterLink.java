// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.View;
import io.albm.core.net.Transport;
import io.albm.core.node.Role;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import io.albm.storage.fuse.InodeFileSystem;
import io.albm.storage.mount.StripedFileSystem;
import io.albm.storage.table.ClusterStorage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The way to the storage of a cluster, over connections of its own. */
final class ClusterLink implements StorageLink {
    /** How long ZooKeeper may take to say which storage nodes there are. */
    private static final Duration FIRST_ANSWER = Duration.ofSeconds(10);

    /** Longer than a read that finds two nodes silent, one after the other; as a mount has it. */
    private static final Duration PATIENCE = StripeSettings.DEFAULT.deadline().multipliedBy(3);

    private final Cluster cluster;
    private final Transport transport = Transport.open();
    private final FrameClient client = new FrameClient(transport);
    private final InodeFileSystem files;

    private ClusterLink(Cluster cluster, StripeSettings settings) {
        this.cluster = cluster;
        files = new StripedFileSystem(
                ClusterStorage.open(cluster, client, settings).files(), PATIENCE);
    }

    /** Connects, and waits until the storage nodes are known. */
    static StorageLink connect(ClusterUri uri, StorageOptions options) throws IOException {
        ClusterLink link =
                new ClusterLink(ZooKeeperCluster.connect(uri.zooKeeper(), uri.cluster()), options.settings());
        try {
            link.awaitFirst(link.cluster.members(Role.STORAGE_NODE), uri);
            link.awaitFirst(link.cluster.configuration(StripedStore.RETIRING_SCOPE), uri);
            return link;
        } catch (IOException | RuntimeException failure) {
            link.close();
            throw failure;
        }
    }

    private void awaitFirst(View<?> view, ClusterUri uri) throws IOException {
        try {
            view.loaded().get(FIRST_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new IOException(
                    uri + ": ZooKeeper " + uri.zooKeeper() + " does not answer; start the cluster, or name its servers",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while connecting to " + uri);
        }
    }

    @Override
    public InodeFileSystem files() {
        return files;
    }

    @Override
    public void close() {
        cluster.close();
        client.close();
        transport.close();
    }
}
