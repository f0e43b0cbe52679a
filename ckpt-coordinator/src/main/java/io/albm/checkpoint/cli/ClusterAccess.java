// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.net.Transport;
import io.albm.core.node.Role;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A command's connections: coordination store and striped store. For one thread. */
final class ClusterAccess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final String servers;
    private final Transport transport = Transport.open();
    private final FrameClient client = new FrameClient(transport);
    private final Cluster cluster;
    private final StripedCheckpointFiles files;

    private ClusterAccess(String servers, Cluster cluster) {
        this.servers = servers;
        this.cluster = cluster;
        this.files = new StripedCheckpointFiles(
                StripedStore.open(cluster, client, StripeSettings.DEFAULT), transport.blocking());
    }

    static ClusterAccess open(String servers, String name) {
        try {
            ClusterAccess access = new ClusterAccess(servers, ZooKeeperCluster.connect(servers, name));
            access.await(access.cluster.members(Role.STORAGE_NODE).loaded());
            return access;
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    Cluster cluster() {
        return cluster;
    }

    Transport transport() {
        return transport;
    }

    StripedCheckpointFiles files() {
        return files;
    }

    JobStore job(String name) {
        return new JobStore(cluster.store(), name);
    }

    /** Waits for an answer of the cluster, within a bound. */
    <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw unreachable(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CoordinationException.Unavailable) {
                throw unreachable(e);
            }
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(ExitCode.FAILED, "interrupted", e);
        }
    }

    /** What went wrong inside the wrapper that a future puts around it. */
    static Throwable cause(CompletionException wrapped) {
        return wrapped.getCause() == null ? wrapped : wrapped.getCause();
    }

    private CliException unreachable(Exception cause) {
        return new CliException(
                ExitCode.ZOOKEEPER_UNREACHABLE,
                "ZooKeeper " + servers
                        + " does not answer: 'albm up' starts a local cluster, --zookeeper names another",
                cause);
    }

    @Override
    public void close() {
        client.close();
        cluster.close();
        transport.close();
    }
}
