// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.control.StoredStates;
import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.handover.Handover;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.strategy.TcpSegments;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ranks as children of this process, with their local copies in a directory of this machine. For one thread. */
public final class LocalHost implements RankHost {
    private static final Logger log = LoggerFactory.getLogger(LocalHost.class);

    private final String name;
    private final JobStore store;
    private final StripedCheckpointFiles files;
    private final LocalCopies copies;
    private final RankProcesses processes;
    private final Listener listener;
    private final HostSegments segments = HostSegments.open();
    private @Nullable CheckpointDrain drain;

    /**
     * @param handover how the command hands its states over; null if it speaks to the supervisor itself
     * @param directory of the job on this host; local copies that were left in it serve a restart
     * @param loop the thread that calls this
     */
    public LocalHost(
            String name,
            int ranks,
            RankCommand command,
            @Nullable Handover handover,
            Path directory,
            JobStore store,
            StripedCheckpointFiles files,
            Listener listener,
            Executor loop)
            throws IOException {
        this.name = name;
        this.store = store;
        this.files = files;
        this.copies = new LocalCopies(directory);
        this.processes = new RankProcesses(store.paths().job(), ranks, command, handover, copies, directory, loop);
        this.listener = listener;
    }

    /**
     * Kills what an earlier process of this host has left of any job. Blocks.
     *
     * @param jobs has the directories of jobs
     * @return how many ranks there were, all seen dead
     */
    public static int killLeftOvers(Path jobs) throws IOException {
        int killed = 0;
        try (DirectoryStream<Path> each = Files.newDirectoryStream(jobs, Files::isDirectory)) {
            for (Path job : each) {
                killed += new RankTable(job).killLeftOvers();
            }
        }
        return killed;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletableFuture<Integer> killLeftOvers() {
        return files.run(() -> {
            int killed = processes.killLeftOvers();
            copies.clearRestored();
            return killed;
        });
    }

    @Override
    public CompletableFuture<Map<Integer, Long>> start(RankStart start) {
        try {
            return CompletableFuture.completedFuture(processes.start(start, listener::output, listener::exited));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<Void> killAll() {
        return processes.killAll();
    }

    @Override
    public void disconnected(int rank) {
        // Its process says more.
    }

    @Override
    public Path saved(long checkpoint, int rank) {
        return copies.saved(checkpoint, rank);
    }

    @Override
    public Path restored(int rank) {
        return copies.restored(rank);
    }

    @Override
    public CompletableFuture<String> restore(StoredUnit unit) {
        return files.run(() -> copies.restore(unit, new StoredStates(files, store.paths())));
    }

    @Override
    public CompletableFuture<StoredUnit> drain(DrainOrder order) {
        if (drain == null || drain.checkpoint() != order.checkpoint()) {
            drain = new CheckpointDrain(order.checkpoint(), order.base(), store, copies);
        }
        CheckpointDrain inHand = drain;
        StripedCheckpointFiles fenced = files.fenced(store.paths().job(), order.epoch());
        return files.run(() -> inHand.store(fenced, order.rank(), order.copy()));
    }

    @Override
    public void discard(long checkpoint) {
        forget(checkpoint);
        remove(() -> copies.discard(checkpoint));
    }

    @Override
    public void discardBefore(long checkpoint) {
        forget(checkpoint);
        remove(() -> copies.discardBefore(checkpoint));
    }

    /** It is committed or given up. */
    private void forget(long checkpoint) {
        if (drain != null && drain.checkpoint() <= checkpoint) {
            drain = null;
        }
    }

    private interface Removal {
        void run() throws IOException;
    }

    private void remove(Removal removal) {
        var _ = files.run(() -> {
                    removal.run();
                    return true;
                })
                .exceptionally(failure -> {
                    log.warn("job {}: local copies stay: {}", store.paths().job(), failure.getMessage());
                    return false;
                });
    }

    @Override
    public TcpSegments segments() {
        return segments.now();
    }

    @Override
    public void close() {
        segments.close();
    }
}
