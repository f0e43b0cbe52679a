// SPDX-License-Identifier: Apache-2.0
package io.albm.core.access;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.View;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A command's connection to a cluster, which waits for each answer within a bound. For one thread. */
public final class ClusterConnection implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final String zooKeeper;

    ClusterConnection(Cluster cluster, String zooKeeper) {
        this.cluster = cluster;
        this.zooKeeper = zooKeeper;
    }

    /** The cluster, which may not have answered yet. */
    public Cluster cluster() {
        return cluster;
    }

    /** The servers that are asked. */
    public String zooKeeper() {
        return zooKeeper;
    }

    /** A view's first value. */
    public <T> T loaded(View<T> view) {
        return await(view.loaded());
    }

    /**
     * Waits for an answer of the cluster.
     *
     * @throws CliException if ZooKeeper does not answer
     */
    public <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw unreachable(e);
        } catch (ExecutionException e) {
            throw failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(ExitCode.FAILED, "interrupted while waiting for the cluster", e);
        }
    }

    private RuntimeException failed(ExecutionException wrapper) {
        return switch (wrapper.getCause()) {
            case CoordinationException.Unavailable away -> unreachable(away);
            case RuntimeException failure -> failure;
            case null, default -> new IllegalStateException(wrapper.getCause());
        };
    }

    private CliException unreachable(Exception cause) {
        return new CliException(
                ExitCode.ZOOKEEPER_UNREACHABLE,
                "ZooKeeper " + zooKeeper
                        + " does not answer: 'albm up' starts a local cluster, --zookeeper names another",
                cause);
    }

    @Override
    public void close() {
        cluster.close();
    }
}
