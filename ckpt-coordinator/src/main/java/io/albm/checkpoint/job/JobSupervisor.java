// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.protocol.Answer;
import io.albm.checkpoint.protocol.Command;
import io.albm.checkpoint.protocol.Digests;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.Recovery;
import io.albm.checkpoint.protocol.RecoveryEvent;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.protocol.SupervisorAddress;
import io.albm.checkpoint.protocol.SupervisorProtocol;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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

    private final JobSpec spec;
    private final List<String> command;
    private final int maxRestarts;
    private final JobStore store;
    private final StripedCheckpointFiles files;
    private final LocalCopies copies;
    private final RankTable table;
    private final RankServer server;
    private final JobListener listener;
    private final HostSegments segments = HostSegments.open();
    private final SupervisorProtocol protocol;
    private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("job-loop").daemon().factory());
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Map<Integer, RankProcess> processes = new HashMap<>();
    private final Map<Integer, RankServer.Connection> connections = new HashMap<>();
    private final Map<Integer, String> exchanged = new TreeMap<>();
    private final long began = System.nanoTime();
    private int attempt;
    private int checkpoints;
    private int rollbacks;
    private boolean goingBack;
    private boolean restoredState;

    /** @param directory of this job on this node; whatever an earlier supervisor left in it is removed */
    public JobSupervisor(
            JobSpec spec,
            List<String> command,
            int maxRestarts,
            Path directory,
            JobStore store,
            StripedCheckpointFiles files,
            JobListener listener)
            throws IOException {
        this.spec = spec;
        this.command = List.copyOf(command);
        this.maxRestarts = maxRestarts;
        this.store = store;
        this.files = files;
        this.copies = new LocalCopies(directory);
        this.table = new RankTable(directory);
        this.listener = listener;
        this.protocol = new SupervisorProtocol(spec.ranks(), new Effects());
        this.server = new RankServer(new Ranks());
    }

    /** Begins. The future is done when the job has ended well, and fails when it is given up. */
    public CompletableFuture<Void> run() throws IOException {
        int leftOvers = table.killLeftOvers();
        if (leftOvers > 0) {
            listener.on(new JobProgress.Notice("killed " + leftOvers + " ranks that an earlier supervisor had left"));
        }
        copies.clear();
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
        killAll().join();
        segments.close();
        server.close();
    }

    private void recover(long diedAt) {
        Recovery recovery = new Recovery(
                store,
                files,
                this::fetch,
                (delay, action) -> later(delay, action),
                event -> listener.on(notice(event)));
        var _ = recovery.restoreLatest()
                .whenComplete((manifest, failure) -> onLoop(() -> {
                    if (failure == null) {
                        start(manifest, diedAt);
                    } else {
                        giveUp(failure.getCause() == null ? failure : failure.getCause());
                    }
                }));
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
        return files.run(() -> {
            try (InputStream in = files.open(unit.path());
                    OutputStream file = Files.newOutputStream(copies.restored(unit.rank()));
                    DigestOutputStream out = new DigestOutputStream(file, Digests.sha256())) {
                in.transferTo(out);
                return Digests.hex(out.getMessageDigest().digest());
            }
        });
    }

    private void start(Optional<Manifest> manifest, long diedAt) {
        attempt++;
        goingBack = false;
        connections.clear();
        exchanged.clear();
        restoredState = manifest.isPresent();
        long checkpoint = manifest.map(Manifest::number).orElse(0L);
        String control = server.newControl();
        List<Long> pids = new ArrayList<>();
        try {
            for (int rank : spec.allRanks()) {
                pids.add(startRank(rank, control).pid());
            }
            table.write(processes.values().stream().map(RankProcess::identity).toList());
        } catch (IOException e) {
            giveUp(new IOException("cannot start \"" + command.getFirst() + "\": " + e.getMessage(), e));
            return;
        }
        if (diedAt != 0) {
            long step = manifest.map(Manifest::step).orElse(0L);
            listener.on(new JobProgress.Rollback(checkpoint, step, millisSince(diedAt)));
        }
        listener.on(new JobProgress.Started(spec.name(), spec.ranks(), attempt, checkpoint, pids));
    }

    private RankProcess startRank(int rank, String control) throws IOException {
        Map<String, String> environment = Map.of(
                "ALBM_JOB", spec.name(),
                "ALBM_RANK", Integer.toString(rank),
                "ALBM_RANKS", Integer.toString(spec.ranks()),
                "ALBM_ATTEMPT", Integer.toString(attempt),
                "ALBM_CONTROL", control);
        RankProcess started =
                RankProcess.start(rank, command, environment, line -> listener.on(new JobProgress.Output(rank, line)));
        processes.put(rank, started);
        int born = attempt;
        var _ = started.exit().thenAccept(exit -> onLoop(() -> exited(started, exit, born)));
        return started;
    }

    private void exited(RankProcess process, int exit, int born) {
        if (born != attempt || goingBack) {
            return;
        }
        processes.remove(process.rank());
        protocol.left(process.rank());
        if (exit != 0) {
            listener.on(new JobProgress.RankDied(process.rank(), process.pid(), exit));
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
        var _ = killAll().thenRun(() -> onLoop(() -> settleThen(() -> recover(diedAt))));
    }

    /** What all ranks have saved can still be committed without them; the coordinator's silence ends the wait. */
    private void settleThen(Runnable next) {
        if (protocol.mayStillCommit()) {
            later(SETTLE, () -> settleThen(next));
        } else {
            next.run();
        }
    }

    private CompletableFuture<Void> killAll() {
        List<CompletableFuture<Void>> deaths = new ArrayList<>();
        processes.values().forEach(process -> deaths.add(process.kill()));
        return CompletableFuture.allOf(deaths.toArray(CompletableFuture[]::new));
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
        var _ = killAll().thenRun(() -> ended.completeExceptionally(cause));
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
                    case "FAILED" -> protocol.failed(number(words, 1), "rank " + rank + " could not save");
                    case "EXCHANGE" -> exchange(rank, words[1]);
                    case "END" -> protocol.left(rank);
                    default -> listener.on(new JobProgress.Notice("rank " + rank + " said \"" + words[0] + "\""));
                }
            } catch (IndexOutOfBoundsException | NumberFormatException e) {
                listener.on(new JobProgress.Notice("rank " + rank + " said something malformed: " + words[0]));
            }
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

        @Override
        public void hold(long checkpoint) {
            tellAll("HOLD " + checkpoint);
        }

        @Override
        public void save(long checkpoint, long step) {
            connections.forEach((rank, connection) ->
                    connection.send("SAVE " + checkpoint + " " + step + " " + encoded(copies.saved(checkpoint, rank))));
        }

        @Override
        public void release(long checkpoint) {
            tellAll("RELEASE " + checkpoint);
        }

        private void tellAll(String line) {
            connections.values().forEach(connection -> connection.send(line));
        }

        @Override
        public void drain(long checkpoint, int rank, LocalCopy copy) {
            String path = store.paths().unit(checkpoint, rank);
            StripedCheckpointFiles fenced = files.fenced(spec.name(), protocol.epoch());
            var _ = files.run(() -> copies.verified(checkpoint, rank, copy))
                    .whenComplete((sha256, torn) -> onLoop(() -> {
                        if (torn == null) {
                            upload(fenced, checkpoint, new StoredUnit(rank, path, copy.size(), sha256), copy);
                        } else {
                            protocol.failed(checkpoint, String.valueOf(torn.getMessage()));
                        }
                    }));
        }

        /** Storage that cannot be reached is tried again, until the coordinator gives the checkpoint up. */
        private void upload(StripedCheckpointFiles fenced, long checkpoint, StoredUnit unit, LocalCopy copy) {
            var _ = fenced.store(unit.path(), copies.saved(checkpoint, unit.rank()))
                    .whenComplete((file, failure) -> onLoop(() -> {
                        if (failure == null && file.content().crc32c() == copy.crc32c()) {
                            protocol.stored(checkpoint, unit);
                        } else if (failure == null) {
                            protocol.failed(
                                    checkpoint, "the store has other bytes than rank " + unit.rank() + " saved");
                        } else if (protocol.status().checkpoint() == checkpoint) {
                            log.warn(
                                    "job {}: checkpoint {}, rank {}: {}",
                                    spec.name(),
                                    checkpoint,
                                    unit.rank(),
                                    failure.getMessage());
                            later(RETRY, () -> drain(checkpoint, unit.rank(), copy));
                        }
                    }));
        }

        @Override
        public void committed(long checkpoint) {
            checkpoints++;
            var _ = store.committed(checkpoint)
                    .thenAccept(read -> read.ifPresent(entry -> listener.on(new JobProgress.Checkpoint(
                            entry.number(), entry.step(), entry.bytes(), entry.millis(), entry.groupSize()))));
        }

        @Override
        public void discard(long checkpoint) {
            var _ = files.run(() -> {
                copies.discard(checkpoint);
                return checkpoint;
            });
        }
    }
}
