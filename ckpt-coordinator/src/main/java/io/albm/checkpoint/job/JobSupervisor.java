// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.albm.checkpoint.control.StoredStates;
import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.handover.Handover;
import io.albm.checkpoint.protocol.Answer;
import io.albm.checkpoint.protocol.Command;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.Recovery;
import io.albm.checkpoint.protocol.RecoveryEvent;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.protocol.SupervisorAddress;
import io.albm.checkpoint.protocol.SupervisorProtocol;
import io.albm.checkpoint.savings.TornStateException;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one job: starts its ranks, takes part in its checkpoints, and after a death takes all ranks back to the last
 * complete checkpoint.
 *
 * <p>A job is a series of attempts. An attempt begins with fetching the ranks' states and ends when all ranks have ended
 * well, or with the first death: then every process of it is killed and seen dead, a checkpoint that no longer needs the
 * ranks may still commit, and the next attempt begins. The data path is rank → local disk → this process → striped
 * store; ranks run on as soon as their state is on the local disk.
 *
 * <p>The coordinator may die at any time: the job runs on, and another coordinator finds this supervisor through the
 * coordination store. All state belongs to one thread, the loop; blocking work runs elsewhere and comes back to it.
 */
public final class JobSupervisor implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(JobSupervisor.class);
    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration SETTLE = Duration.ofMillis(50);

    /** How long ranks may take to end by themselves when the job is halted. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final JobSpec spec;
    private final int maxRestarts;
    private final JobStore store;
    private final StripedCheckpointFiles files;
    private final LocalCopies copies;
    private final RankServer server;
    private final JobListener listener;
    private final HostSegments segments = HostSegments.open();
    private final SupervisorProtocol protocol;
    private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("job-loop").daemon().factory());
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final RankProcesses processes;
    private final Map<Integer, RankServer.Connection> connections = new HashMap<>();
    private final Map<Integer, String> exchanged = new TreeMap<>();
    private final Set<Long> damaged = new HashSet<>();
    private final long began = System.nanoTime();
    private int attempt;
    private int checkpoints;
    private int rollbacks;
    private boolean goingBack;
    private boolean restoredState;
    private long haltedAt;

    /**
     * @param handover how the command hands its states over; null if it speaks to the supervisor itself
     * @param directory of this job on this node; local copies that an earlier supervisor left in it serve a restart
     */
    public JobSupervisor(
            JobSpec spec,
            List<String> command,
            @Nullable Handover handover,
            int maxRestarts,
            Path directory,
            JobStore store,
            StripedCheckpointFiles files,
            JobListener listener)
            throws IOException {
        this.spec = spec;
        this.maxRestarts = maxRestarts;
        this.store = store;
        this.files = files;
        this.copies = new LocalCopies(directory);
        this.processes = new RankProcesses(spec, command, handover, copies, directory);
        this.listener = listener;
        this.protocol = new SupervisorProtocol(spec.ranks(), new Effects(), new SecureRandom().nextLong());
        this.server = new RankServer(new Ranks());
    }

    /** Begins. The future is done when the job has ended well, and fails when it is given up. */
    public CompletableFuture<Void> run() throws IOException {
        int leftOvers = processes.killLeftOvers();
        if (leftOvers > 0) {
            listener.on(new JobProgress.Notice("killed " + leftOvers + " ranks that an earlier supervisor had left"));
        }
        copies.clearRestored();
        loop.scheduleWithFixedDelay(
                guarded(() -> protocol.tick(System.nanoTime())), 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
        onLoop(() -> recover(0));
        return ended;
    }

    /** Takes a coordinator's command. */
    public CompletableFuture<Answer> on(Command wanted) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        onLoop(() -> answer.complete(
                switch (protocol.on(wanted, System.nanoTime())) {
                    case Answer.Status status -> status.with(segments.now());
                    case Answer.Fenced fenced -> fenced;
                }));
        return answer;
    }

    /** Another supervisor runs this job now: this one's ranks end, and so does it. */
    public void replacedBy(SupervisorAddress other) {
        onLoop(() -> giveUp(new IOException("job " + spec.name() + " was taken over by process " + other.pid() + " on "
                + other.host() + " while this one was cut off")));
    }

    /** Kills all ranks and sees them dead. */
    @Override
    public void close() throws IOException {
        loop.shutdownNow();
        processes.killAll().join();
        segments.close();
        server.close();
    }

    private void recover(long diedAt) {
        Recovery recovery =
                new Recovery(store, files, this::fetch, (delay, action) -> later(delay, action), this::heard);
        var _ = recovery.restoreLatest()
                .whenComplete((manifest, failure) -> onLoop(() -> {
                    if (failure == null) {
                        start(manifest, diedAt);
                    } else {
                        giveUp(failure.getCause() == null ? failure : failure.getCause());
                    }
                }));
    }

    /** What could not be restored is no base for others. */
    private void heard(RecoveryEvent event) {
        if (event instanceof RecoveryEvent.Corrupt corrupt) {
            onLoop(() -> damaged.add(corrupt.number()));
        }
        listener.on(notice(event));
    }

    private static JobProgress notice(RecoveryEvent event) {
        return new JobProgress.Notice(
                switch (event) {
                    case RecoveryEvent.Corrupt corrupt ->
                        "CORRUPT checkpoint " + corrupt.number() + " is not used, an older one is tried: "
                                + corrupt.reason();
                    case RecoveryEvent.Waiting waiting ->
                        "waits for the cluster before going back: " + waiting.reason();
                });
    }

    private CompletableFuture<String> fetch(StoredUnit unit) {
        return files.run(() -> copies.restore(unit, new StoredStates(files, store.paths())));
    }

    private void start(Optional<Manifest> manifest, long diedAt) {
        attempt++;
        goingBack = false;
        connections.clear();
        exchanged.clear();
        restoredState = manifest.isPresent();
        long checkpoint = manifest.map(Manifest::number).orElse(0L);
        int born = attempt;
        List<Long> pids;
        try {
            pids = processes.start(
                    attempt,
                    server.newControl(),
                    manifest.map(from -> OptionalLong.of(from.step())).orElse(OptionalLong.empty()),
                    (rank, line) -> listener.on(new JobProgress.Output(rank, line)),
                    (process, exit) -> onLoop(() -> exited(process, exit, born)));
        } catch (IOException e) {
            giveUp(new IOException("cannot start the ranks: " + e.getMessage(), e));
            return;
        }
        if (diedAt != 0) {
            long step = manifest.map(Manifest::step).orElse(0L);
            listener.on(new JobProgress.Rollback(checkpoint, step, millisSince(diedAt)));
        }
        listener.on(new JobProgress.Started(spec.name(), spec.ranks(), attempt, checkpoint, pids));
    }

    private void exited(RankProcess process, int exit, int born) {
        if (born != attempt || goingBack) {
            return;
        }
        processes.remove(process);
        protocol.left(process.rank());
        if (haltedAt > 0) {
            if (processes.isEmpty()) {
                endHalt();
            }
        } else if (exit != 0) {
            died(process, exit);
            goBack();
        } else if (processes.isEmpty()) {
            settleThen(this::finish);
        }
    }

    private void goBack() {
        long diedAt = System.nanoTime();
        goingBack = true;
        rollbacks++;
        spec.allRanks().forEach(protocol::left);
        if (attempt > maxRestarts) {
            giveUp(new IOException("job " + spec.name() + " was restarted " + maxRestarts
                    + " times; look at its ranks' output, or allow more with --max-restarts"));
            return;
        }
        CompletableFuture<Void> named = nameTheDying();
        var _ = CompletableFuture.allOf(named, processes.killAll())
                .thenRun(() -> onLoop(() -> settleThen(() -> recoverUnlessHalted(diedAt))));
    }

    /** The first death that is seen may be the consequence of another one. */
    private CompletableFuture<Void> nameTheDying() {
        return CompletableFuture.allOf(processes.dying().stream()
                .map(process -> process.exit().thenAcceptAsync(exit -> died(process, exit), this::onLoop))
                .toArray(CompletableFuture[]::new));
    }

    private void died(RankProcess process, int exit) {
        if (exit != 0) {
            listener.on(new JobProgress.RankDied(process.rank(), process.pid(), exit));
        }
    }

    /** Ranks that died while their last checkpoint became complete are not needed any more. */
    private void recoverUnlessHalted(long diedAt) {
        if (haltedAt > 0) {
            endHalt();
        } else {
            recover(diedAt);
        }
    }

    /** The request goes first: the next run of this job must not be halted by it. */
    private void endHalt() {
        var _ = store.endHalt()
                .whenComplete((done, failure) -> onLoop(() -> {
                    if (failure == null) {
                        listener.on(new JobProgress.Halted(spec.name(), haltedAt));
                        ended.complete(null);
                    } else {
                        later(Duration.ofSeconds(1), this::endHalt);
                    }
                }));
    }

    /** What all ranks have saved can still be committed without them; the coordinator's silence ends the wait. */
    private void settleThen(Runnable next) {
        if (protocol.mayStillCommit()) {
            later(SETTLE, () -> settleThen(next));
        } else {
            next.run();
        }
    }

    /** Recorded before anybody is told: a job that has ended is never started again. */
    private void finish() {
        var _ = store.finish()
                .handle((done, failure) -> failure)
                .thenCompose(failure -> store.isFinished())
                .whenComplete((finished, failure) -> onLoop(() -> {
                    if (failure == null && finished) {
                        listener.on(new JobProgress.Finished(spec.name(), checkpoints, rollbacks, millisSince(began)));
                        ended.complete(null);
                    } else {
                        later(Duration.ofSeconds(1), this::finish);
                    }
                }));
    }

    private void giveUp(Throwable cause) {
        goingBack = true;
        var _ = processes.killAll().thenRun(() -> ended.completeExceptionally(cause));
    }

    private void onLoop(Runnable action) {
        loop.execute(guarded(action));
    }

    private void later(Duration delay, Runnable action) {
        var _ = loop.schedule(guarded(action), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A bug in the loop must end the job, not silence it. */
    private Runnable guarded(Runnable action) {
        return () -> {
            try {
                action.run();
            } catch (RuntimeException e) {
                log.error("job {}: the supervisor failed", spec.name(), e);
                giveUp(e);
            }
        };
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    private static String encoded(Path path) {
        return URLEncoder.encode(path.toAbsolutePath().toString(), UTF_8);
    }

    /** What ranks say. */
    private final class Ranks implements RankServer.Handler {
        @Override
        public void connected(int rank, RankServer.Connection connection) {
            onLoop(() -> {
                if (rank < 0 || rank >= spec.ranks()) {
                    connection.send("REFUSED");
                    return;
                }
                connections.put(rank, connection);
                connection.send(restoredState ? "WELCOME " + encoded(copies.restored(rank)) : "WELCOME");
                protocol.joined(rank);
            });
        }

        @Override
        public void said(int rank, RankServer.Connection connection, String[] words) {
            onLoop(() -> {
                if (connections.get(rank) == connection) {
                    hear(rank, words);
                }
            });
        }

        private void hear(int rank, String[] words) {
            try {
                switch (words[0]) {
                    case "AT" -> protocol.begun(number(words, 1), rank, number(words, 2));
                    case "SAVED" ->
                        protocol.saved(number(words, 1), rank, new LocalCopy(number(words, 2), number(words, 3)));
                    case "FAILED" -> failed(rank, number(words, 1), words.length > 2 ? words[2] : "");
                    case "EXCHANGE" -> exchange(rank, words[1]);
                    case "END" -> protocol.left(rank);
                    default -> listener.on(new JobProgress.Notice("rank " + rank + " said \"" + words[0] + "\""));
                }
            } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
                listener.on(new JobProgress.Notice("rank " + rank + " said something malformed: " + words[0]));
            }
        }

        private void failed(int rank, long checkpoint, String reason) {
            String failure = "rank " + rank + " could not save: " + URLDecoder.decode(reason, UTF_8);
            listener.on(new JobProgress.Notice("checkpoint " + checkpoint + " is given up: " + failure));
            protocol.failed(checkpoint, failure);
        }

        private long number(String[] words, int at) {
            return Long.parseLong(words[at]);
        }

        private void exchange(int rank, String value) {
            exchanged.put(rank, value);
            if (exchanged.size() == spec.ranks()) {
                String all = "ALL " + String.join(" ", exchanged.values());
                exchanged.clear();
                connections.values().forEach(connection -> connection.send(all));
            }
        }
    }

    /** What the protocol wants of ranks and storage. */
    private final class Effects implements SupervisorProtocol.Effects {
        private static final Duration RETRY = Duration.ofMillis(500);

        private @Nullable CheckpointDrain drain;

        @Override
        public void hold(long checkpoint) {
            tellAll("HOLD " + checkpoint);
        }

        @Override
        public void save(long checkpoint, long step, boolean last) {
            connections.forEach((rank, connection) -> connection.send("SAVE " + checkpoint + " " + step + " "
                    + encoded(copies.saved(checkpoint, rank)) + (last ? " last" : "")));
        }

        @Override
        public void release(long checkpoint) {
            tellAll("RELEASE " + checkpoint);
        }

        private void tellAll(String line) {
            connections.values().forEach(connection -> connection.send(line));
        }

        @Override
        public void drain(long checkpoint, long base, int rank, LocalCopy copy) {
            if (drain == null || drain.checkpoint() != checkpoint) {
                drain = new CheckpointDrain(checkpoint, damaged.contains(base) ? 0 : base, store, copies);
            }
            upload(drain, rank, copy);
        }

        /** Storage that cannot be reached is tried again, until the coordinator gives the checkpoint up. */
        private void upload(CheckpointDrain drain, int rank, LocalCopy copy) {
            long checkpoint = drain.checkpoint();
            StripedCheckpointFiles fenced = files.fenced(spec.name(), protocol.epoch());
            var _ = files.run(() -> drain.store(fenced, rank, copy))
                    .whenComplete((unit, failure) -> onLoop(() -> {
                        if (failure == null) {
                            protocol.stored(checkpoint, unit);
                        } else if (failure.getCause() instanceof TornStateException torn) {
                            protocol.failed(checkpoint, String.valueOf(torn.getMessage()));
                        } else if (protocol.checkpoint() == checkpoint) {
                            log.warn(
                                    "job {}: checkpoint {}, rank {}: {}",
                                    spec.name(),
                                    checkpoint,
                                    rank,
                                    failure.getMessage());
                            later(RETRY, () -> upload(drain, rank, copy));
                        }
                    }));
        }

        @Override
        public void committed(long checkpoint) {
            checkpoints++;
            tellAll("DURABLE " + checkpoint);
            drain = null;
            var _ = store.committed(checkpoint)
                    .thenAccept(read -> read.ifPresent(entry -> listener.on(new JobProgress.Checkpoint(
                            entry.number(),
                            entry.step(),
                            entry.bytes(),
                            entry.storedBytes(),
                            entry.millis(),
                            entry.groupSize()))));
            var _ = files.run(() -> {
                copies.discardBefore(checkpoint);
                return checkpoint;
            });
        }

        @Override
        public void halt(long checkpoint) {
            haltedAt = checkpoint;
            tellAll("EXIT " + checkpoint);
            later(GRACE, () -> {
                var _ = processes.killAll();
            });
        }

        @Override
        public void discard(long checkpoint) {
            drain = null;
            var _ = files.run(() -> {
                copies.discard(checkpoint);
                return checkpoint;
            });
        }
    }
}
