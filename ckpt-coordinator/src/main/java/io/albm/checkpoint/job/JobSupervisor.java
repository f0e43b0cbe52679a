// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.control.StateOrigin;
import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.protocol.Answer;
import io.albm.checkpoint.protocol.Command;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.SupervisorProtocol;
import io.albm.checkpoint.savings.TornStateException;
import io.albm.core.cluster.CoordinationException;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
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

    /** Shutting down waits no longer for hosts that do not answer. */
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(15);

    /** How long ranks may take to end by themselves when the job is halted. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final JobSpec spec;
    private final int maxRestarts;
    private final JobStore store;
    private final JobListener listener;
    private final SupervisorProtocol protocol;
    private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("job-loop").daemon().factory());
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final JobHosts hosts;
    private final RankConnections ranks;
    private final HostSource source;
    private final RankServer server;
    private final PartnerCopies partnerCopies;
    private final RankRecovery recovery;
    private final long began = System.nanoTime();
    private int attempt;
    private int checkpoints;
    private int rollbacks;
    private boolean recovering;
    private boolean goingBack;
    private boolean over;
    private long diedAt;
    private long haltedAt;

    /** @param source of the hosts that the ranks run on */
    public JobSupervisor(
            JobSpec spec,
            int maxRestarts,
            HostSource source,
            JobStore store,
            StripedCheckpointFiles files,
            JobListener listener)
            throws IOException {
        this.spec = spec;
        this.maxRestarts = maxRestarts;
        this.store = store;
        this.listener = listener;
        this.source = source;
        this.protocol = new SupervisorProtocol(spec.ranks(), new Effects(), new SecureRandom().nextLong());
        this.hosts = new JobHosts(spec, store, source, new Hosts(), loop);
        this.ranks = new RankConnections(
                spec.ranks(), source.lease(), this::onLoop, protocol, hosts::disconnected, this::notice);
        this.partnerCopies = new PartnerCopies(source.partners(), hosts, this::onLoop, this::notice);
        this.recovery = new RankRecovery(store, files, hosts, partnerCopies, this::onLoop, this::later, this::notice);
        this.server = new RankServer(source.bind(), ranks);
    }

    /** Begins. The future is done when the job has ended well, and fails when it is given up. */
    public CompletableFuture<Void> run() {
        loop.scheduleWithFixedDelay(guarded(this::tick), 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
        onLoop(this::recover);
        return ended;
    }

    private void tick() {
        long now = System.nanoTime();
        protocol.tick(now);
        ranks.ping(now);
    }

    /** Takes a coordinator's command. */
    public CompletableFuture<Answer> on(Command wanted) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        onLoop(() -> answer.complete(
                switch (protocol.on(wanted, System.nanoTime())) {
                    case Answer.Status status -> status.with(hosts.segments(), hosts.drainProgress());
                    case Answer.Fenced fenced -> fenced;
                }));
        return answer;
    }

    /** Another supervisor has registered for this job, or it was removed: this one's ranks end, and so does it. */
    public void cutOff(String meanwhile) {
        onLoop(() -> giveUp(new IOException("job " + spec.name() + " " + meanwhile + " while this one was cut off")));
    }

    /** Kills all ranks and sees them dead; those of hosts that do not answer die by the hosts' lease. */
    @Override
    public synchronized void close() throws IOException {
        if (!loop.isShutdown()) {
            try {
                CompletableFuture.supplyAsync(this::endAll, loop)
                        .thenCompose(killed -> killed)
                        .orTimeout(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS)
                        .join();
            } catch (CompletionException late) {
                log.warn("job {}: not all ranks were seen dead", spec.name());
            }
            loop.shutdownNow();
            hosts.close();
            server.close();
        }
    }

    private CompletableFuture<Void> endAll() {
        over = true;
        goingBack = true;
        ranks.shut();
        return hosts.killAll();
    }

    private void recover() {
        recovering = true;
        protocol.goingBack();
        var _ = recovery.begin()
                .thenAccept(manifest -> {
                    manifest.ifPresent(this::restored);
                    start(manifest);
                })
                .exceptionally(failure -> {
                    giveUp(cause(failure));
                    return null;
                });
    }

    private void restored(Manifest manifest) {
        StateOrigin origin = recovery.origin();
        listener.on(new JobProgress.Restored(manifest.number(), origin.local(), origin.partner(), origin.stored()));
    }

    private void start(Optional<Manifest> manifest) {
        if (over) {
            return;
        }
        attempt++;
        recovering = false;
        goingBack = false;
        ranks.open(rank -> manifest.map(_ -> hosts.hostOf(rank).restored(rank)));
        int born = attempt;
        var _ = hosts.start(
                        attempt,
                        server.newControl(),
                        manifest.map(Manifest::step).orElse(RankStart.BEGINNING))
                .whenComplete((pids, failure) -> {
                    if (failure == null) {
                        started(manifest, List.copyOf(pids.values()));
                    } else if (born == attempt && !goingBack && !(cause(failure) instanceof HostLostException)) {
                        giveUp(new IOException(
                                "cannot start the ranks: " + cause(failure).getMessage(), failure));
                    }
                });
    }

    private void started(Optional<Manifest> manifest, List<Long> pids) {
        long checkpoint = manifest.map(Manifest::number).orElse(0L);
        if (diedAt != 0) {
            long step = manifest.map(Manifest::step).orElse(0L);
            listener.on(new JobProgress.Rollback(checkpoint, step, millisSince(diedAt)));
        }
        listener.on(new JobProgress.Started(spec.name(), spec.ranks(), attempt, checkpoint, pids, hosts.names()));
    }

    private void exited(RankExit exit) {
        if (exit.attempt() != attempt || over) {
            return;
        }
        hosts.ended(exit.rank());
        protocol.left(exit.rank());
        if (haltedAt > 0) {
            if (hosts.isEmpty() && !goingBack) {
                endHalt();
            }
            return;
        }
        if (exit.exit() != 0) {
            listener.on(new JobProgress.RankDied(exit.rank(), exit.pid(), exit.exit()));
        }
        if (!goingBack && exit.exit() != 0) {
            goBack();
        } else if (!goingBack && hosts.isEmpty()) {
            settleThen(this::finish);
        }
    }

    private void goBack() {
        diedAt = System.nanoTime();
        goingBack = true;
        rollbacks++;
        ranks.shut();
        spec.allRanks().forEach(protocol::left);
        if (attempt > maxRestarts) {
            giveUp(new IOException("job " + spec.name() + " was restarted " + maxRestarts
                    + " times; look at its ranks' output, or allow more with --max-restarts"));
            return;
        }
        var _ = hosts.killAll().thenRun(() -> onLoop(() -> settleThen(this::recoverUnlessHalted)));
    }

    /** The ranks of a lost host end when they see it, or by its lease; what only it had is lost. */
    private void lost(String host, String reason) {
        if (over) {
            return;
        }
        List<Integer> running = hosts.lost(host);
        listener.on(new JobProgress.HostLost(host, hosts.on(host), reason));
        protocol.lost(hosts.on(host), "host " + host + " was lost before all of its states were stored: " + reason);
        ranks.cut(hosts.on(host));
        if (recovering) {
            recovery.abandon();
            var _ = hosts.killAll().thenRun(() -> onLoop(this::recover));
        } else if (!goingBack && haltedAt == 0 && !running.isEmpty()) {
            goBack();
        }
    }

    /** Ranks that died while their last checkpoint became complete are not needed any more. */
    private void recoverUnlessHalted() {
        if (haltedAt > 0) {
            endHalt();
        } else if (!over) {
            recover();
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
        if (over) {
            return;
        }
        var _ = store.finish(source.run()).whenComplete((done, refused) -> {
            var _ = store.isFinished()
                    .whenComplete((finished, failure) -> onLoop(() -> {
                        if (failure == null && finished) {
                            listener.on(
                                    new JobProgress.Finished(spec.name(), checkpoints, rollbacks, millisSince(began)));
                            ended.complete(null);
                        } else if (refused != null && isAnothers(cause(refused))) {
                            cutOff("was taken over or removed");
                        } else {
                            later(Duration.ofSeconds(1), this::finish);
                        }
                    }));
        });
    }

    private static boolean isAnothers(Throwable refusal) {
        return refusal instanceof CoordinationException.VersionConflict
                || refusal instanceof CoordinationException.NoSuchNode;
    }

    private void giveUp(Throwable cause) {
        recovery.abandon();
        var _ = endAll().thenRun(() -> ended.completeExceptionally(cause));
    }

    private void notice(String text) {
        listener.on(new JobProgress.Notice(text));
    }

    /** Not any more after the end. */
    private void onLoop(Runnable action) {
        try {
            loop.execute(guarded(action));
        } catch (RejectedExecutionException e) {
            log.trace("job {}: {} after the end", spec.name(), action);
        }
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

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** What hosts tell. */
    private final class Hosts implements RankHost.Listener {
        @Override
        public void output(int rank, String line) {
            listener.on(new JobProgress.Output(rank, line));
        }

        @Override
        public void exited(RankExit exit) {
            onLoop(() -> JobSupervisor.this.exited(exit));
        }

        @Override
        public void lost(String host, String reason) {
            onLoop(() -> JobSupervisor.this.lost(host, reason));
        }

        @Override
        public void superseded(String host) {
            onLoop(() -> giveUp(new IOException("job " + spec.name() + " was taken over: host " + host
                    + " obeys a supervisor that registered later")));
        }

        @Override
        public void notice(String text) {
            JobSupervisor.this.notice(text);
        }
    }

    /** What the protocol wants of ranks and storage. */
    private final class Effects implements SupervisorProtocol.Effects {
        private static final Duration RETRY = Duration.ofMillis(500);

        @Override
        public void hold(long checkpoint) {
            ranks.tellAll("HOLD " + checkpoint);
        }

        @Override
        public void save(long checkpoint, long step, boolean last) {
            ranks.save(checkpoint, step, last, rank -> hosts.hostOf(rank).saved(checkpoint, rank));
        }

        @Override
        public void release(long checkpoint) {
            ranks.tellAll("RELEASE " + checkpoint);
        }

        /** Storage that cannot be reached is tried again, for as long as a coordinator asks for the checkpoint. */
        @Override
        public void drain(long checkpoint, long base, int rank, LocalCopy copy) {
            partnerCopies.saved(checkpoint, rank, copy);
            DrainOrder order =
                    new DrainOrder(checkpoint, recovery.isDamaged(base) ? 0 : base, rank, copy, protocol.epoch());
            var _ = hosts.hostOf(rank)
                    .drain(order)
                    .whenComplete((unit, failure) -> onLoop(() -> {
                        if (failure == null) {
                            protocol.stored(checkpoint, unit);
                        } else if (cause(failure) instanceof TornStateException torn) {
                            protocol.failed(checkpoint, String.valueOf(torn.getMessage()));
                        } else if (protocol.isUsable(checkpoint)) {
                            log.warn(
                                    "job {}: checkpoint {}, rank {}: {}",
                                    spec.name(),
                                    checkpoint,
                                    rank,
                                    failure.getMessage());
                            later(RETRY, () -> protocol.notStored(checkpoint, rank));
                        }
                    }));
        }

        @Override
        public void committed(long checkpoint) {
            checkpoints++;
            ranks.tellAll("DURABLE " + checkpoint);
            var _ = store.committed(checkpoint)
                    .thenAccept(read -> read.ifPresent(entry -> listener.on(new JobProgress.Checkpoint(
                            entry.number(),
                            entry.step(),
                            entry.bytes(),
                            entry.storedBytes(),
                            entry.millis(),
                            entry.groupSize()))));
            hosts.all().forEach(host -> host.discardBefore(checkpoint));
            partnerCopies.committed(checkpoint);
        }

        @Override
        public void halt(long checkpoint) {
            haltedAt = checkpoint;
            ranks.tellAll("EXIT " + checkpoint);
            later(GRACE, this::endSlow);
        }

        private void endSlow() {
            if (!goingBack && !hosts.isEmpty()) {
                goingBack = true;
                var _ = hosts.killAll().thenRun(() -> onLoop(JobSupervisor.this::endHalt));
            }
        }

        @Override
        public void discard(long checkpoint) {
            hosts.all().forEach(host -> host.discard(checkpoint));
        }
    }
}
