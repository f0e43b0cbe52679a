// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.access.ClusterConnection;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.net.Transport;
import io.albm.core.node.Role;
import io.albm.core.wire.FrameClient;
import io.albm.storage.StripeSettings;
import io.albm.storage.table.ClusterStorage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** What a command about jobs reaches: their records in the cluster, and their files in the striped store. For one thread. */
final class JobAccess implements AutoCloseable {
    private static final int MOST_TRIES = 20;

    private final Transport transport = Transport.open();
    private final FrameClient client = new FrameClient(transport);
    private final ClusterConnection connection;
    private final StripedCheckpointFiles files;

    private JobAccess(ClusterConnection connection) {
        this.connection = connection;
        this.files = new StripedCheckpointFiles(
                ClusterStorage.open(connection.cluster(), client, StripeSettings.DEFAULT), transport.blocking());
    }

    static JobAccess open(ClusterOptions options) {
        JobAccess access = new JobAccess(options.connect());
        access.load(Role.STORAGE_NODE);
        return access;
    }

    Cluster cluster() {
        return connection.cluster();
    }

    Transport transport() {
        return transport;
    }

    StripedCheckpointFiles files() {
        return files;
    }

    FrameClient client() {
        return client;
    }

    /** Waits until the members of a role are known. */
    void load(Role role) {
        connection.loaded(cluster().members(role));
    }

    JobStore job(String name) {
        return new JobStore(cluster().store(), name);
    }

    /** Waits for an answer of the cluster, within a bound. */
    <T> T await(CompletableFuture<T> answer) {
        return connection.await(answer);
    }

    /**
     * Waits for an answer of the striped store, whose requests have deadlines of their own.
     *
     * @param otherwise what to say before the reason if there is none
     */
    <T> T awaitStored(CompletableFuture<T> answer, String otherwise) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw new CliException(ExitCode.FAILED, otherwise + ": " + cause(e).getMessage(), e);
        }
    }

    /**
     * Waits for a change that does no harm if it is made twice, and makes it again when another was faster or the
     * connection broke.
     */
    <T> T insist(Supplier<CompletableFuture<T>> change) {
        for (int tries = 1; ; tries++) {
            try {
                return await(change.get());
            } catch (CoordinationException.VersionConflict | CoordinationException.OutcomeUnknown e) {
                if (tries == MOST_TRIES) {
                    throw new CliException(
                            ExitCode.FAILED, "others changed the job's records " + tries + " times; try again", e);
                }
            }
        }
    }

    /** What went wrong inside the wrapper that a future puts around it. */
    static Throwable cause(CompletionException wrapped) {
        return wrapped.getCause() == null ? wrapped : wrapped.getCause();
    }

    @Override
    public void close() {
        client.close();
        connection.close();
        transport.close();
    }
}
