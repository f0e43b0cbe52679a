// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.control.SupervisorServer;
import io.albm.checkpoint.job.SupervisorRegistration;
import io.albm.checkpoint.protocol.Answer;
import io.albm.checkpoint.protocol.Command;
import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.checkpoint.protocol.StoredUnits;
import io.albm.checkpoint.protocol.SupervisorAddress;
import io.albm.checkpoint.protocol.SupervisorProtocol;
import io.albm.core.cluster.Cluster;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.wire.FrameClient;
import io.albm.storage.StripeSettings;
import io.albm.storage.table.ClusterStorage;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The production supervisor's protocol on a real socket, with ranks that save at once and then end, and bytes that really are
 * stored: there is one checkpoint.
 */
final class PlayedSupervisor implements AutoCloseable, SupervisorProtocol.Effects {
    static final int BYTES = 1 << 20;

    private final JobSpec spec;
    private final Cluster cluster;
    private final Runnable beforeAWrite;
    private final FrameClient client;
    private final StripedCheckpointFiles files;
    private final SupervisorProtocol protocol;
    private final SupervisorServer server;
    private final ExecutorService loop = Executors.newSingleThreadExecutor();

    PlayedSupervisor(JobSpec spec, Cluster cluster, Transport transport, Runnable beforeAWrite) {
        this.spec = spec;
        this.cluster = cluster;
        this.beforeAWrite = beforeAWrite;
        this.client = new FrameClient(transport);
        this.files = new StripedCheckpointFiles(
                ClusterStorage.open(cluster, client, StripeSettings.DEFAULT), transport.blocking());
        this.protocol = new SupervisorProtocol(spec.ranks(), this, 0);
        this.server = new SupervisorServer(transport, new NodeAddress("127.0.0.1", 0), spec.name(), this::on);
    }

    void register() {
        spec.allRanks().forEach(rank -> loop.execute(() -> protocol.joined(rank)));
        SupervisorAddress self = new SupervisorAddress(
                server.address(), "here", ProcessHandle.current().pid());
        new SupervisorRegistration(cluster.store(), spec.name(), self).claim().join();
    }

    private CompletableFuture<Answer> on(Command command) {
        return CompletableFuture.supplyAsync(() -> protocol.on(command, System.nanoTime()), loop);
    }

    @Override
    public void hold(long checkpoint) {
        spec.allRanks().forEach(rank -> loop.execute(() -> protocol.begun(checkpoint, rank, 4)));
    }

    @Override
    public void save(long checkpoint, long step, boolean last) {
        spec.allRanks()
                .forEach(rank -> loop.execute(() -> protocol.saved(checkpoint, rank, StoredUnits.copy(state(rank)))));
    }

    @Override
    public void drain(long checkpoint, long base, int rank, LocalCopy copy) {
        loop.execute(() -> protocol.left(rank));
        StripedCheckpointFiles fenced = files.fenced(spec.name(), protocol.epoch());
        var _ = CompletableFuture.runAsync(beforeAWrite, Thread::startVirtualThread)
                .thenApplyAsync(
                        _ -> new StoredUnits(fenced, new JobPaths(spec.name()), checkpoint).store(rank, state(rank)),
                        Thread::startVirtualThread)
                .whenCompleteAsync(
                        (unit, failure) -> {
                            if (failure == null) {
                                protocol.stored(checkpoint, unit);
                            } else {
                                protocol.failed(checkpoint, failure.toString());
                            }
                        },
                        loop);
    }

    private static byte[] state(int rank) {
        byte[] state = new byte[BYTES];
        new SplittableRandom(rank).nextBytes(state);
        return state;
    }

    @Override
    public void release(long checkpoint) {}

    @Override
    public void halt(long checkpoint) {}

    @Override
    public void committed(long checkpoint) {}

    @Override
    public void discard(long checkpoint) {}

    @Override
    public void close() {
        server.close();
        client.close();
        loop.shutdownNow();
    }
}
