// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.control.RestoredState;
import io.albm.checkpoint.control.StoredStates;
import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.handover.Handover;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.core.net.Transport;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
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
    private final @Nullable Handover handover;
    private final RankProcesses processes;
    private final CopyLink link;
    private final RankRestores restores = new RankRestores();
    private final AtomicLong orders = new AtomicLong();
    private final Listener listener;
    private final HostSegments segments;
    private @Nullable CheckpointDrain drain;

    /**
     * @param directory of the job on this host; local copies that were left in it serve a restart
     * @param link to hosts that keep copies of this one's states, or whose states it copies
     * @param transport for the endpoint of programs that hand their states over
     * @param loop the thread that calls this
     */
    public LocalHost(
            String name,
            int ranks,
            RankCommand command,
            Path directory,
            JobStore store,
            StripedCheckpointFiles files,
            CopyLink link,
            Transport transport,
            Listener listener,
            Executor loop)
            throws IOException {
        this.name = name;
        this.store = store;
        this.files = files;
        this.link = link;
        this.copies = new LocalCopies(directory);
        WatchScript watch = new WatchScript(directory);
        // Last of what may fail, since it is to be closed.
        this.handover = command.handover() == null ? null : new Handover(command.handover(), directory, transport);
        this.processes = new RankProcesses(
                new RankPreparation(store.paths().job(), ranks, command, handover, copies),
                new RankTable(directory),
                watch,
                transport.blocking(),
                loop);
        this.segments = HostSegments.open();
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
        return processes.start(start, listener::output, listener::exited);
    }

    @Override
    public CompletableFuture<Void> killAll() {
        return processes.killAll();
    }

    @Override
    public void renew(long until) {
        try {
            processes.renew(until);
        } catch (IOException e) {
            log.warn(
                    "job {}: the lease of its ranks cannot be renewed: {}",
                    store.paths().job(),
                    e.getMessage());
        }
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
    public CompletableFuture<RestoredState> restore(RestoreOrder order) {
        StoredStates states = new StoredStates(files, store.paths());
        return restores.next(
                order.unit().rank(), goesOn -> files.run(() -> copies.restore(order, states, link, goesOn)));
    }

    @Override
    public CompletableFuture<Set<Integer>> hold(PartnerOrder order) {
        long mine = orders.incrementAndGet();
        return files.run(() -> copies.partner().hold(order, link, () -> orders.get() == mine));
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
    public long drainProgress() {
        return drain == null ? 0 : drain.progress();
    }

    @Override
    public void close() {
        orders.incrementAndGet();
        segments.close();
        if (handover != null) {
            handover.close();
        }
    }
}
