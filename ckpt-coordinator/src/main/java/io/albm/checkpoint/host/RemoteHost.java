// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import io.albm.checkpoint.control.RestoredState;
import io.albm.checkpoint.host.HostAnswer.Report;
import io.albm.checkpoint.job.DrainOrder;
import io.albm.checkpoint.job.HostLease;
import io.albm.checkpoint.job.HostLostException;
import io.albm.checkpoint.job.LocalCopies;
import io.albm.checkpoint.job.PartnerOrder;
import io.albm.checkpoint.job.RankCommand;
import io.albm.checkpoint.job.RankExit;
import io.albm.checkpoint.job.RankHost;
import io.albm.checkpoint.job.RankStart;
import io.albm.checkpoint.job.RestoreOrder;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.core.time.MonotonicClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A host that is reached over the network: what it is to do is one command, sent again and again, and events come from
 * comparing its answers with what was known. One call at a time; the next at once if there is something new to say.
 *
 * <p>A host is lost when it has not answered for its lease, when nobody answers and all its ranks were seen at their end,
 * when another instance answers, or when it has ended its ranks by itself. Nothing is sent to it any more then, so that
 * its lease runs out. For one thread, the supervisor's loop.
 */
final class RemoteHost implements RankHost {
    private static final Duration BUSY = Duration.ofMillis(20);
    private static final Duration QUIET = Duration.ofMillis(200);

    /** A host may be used, given up, and used again in one run; its other end takes equal numbers for the same task. */
    private static final AtomicLong TASKS = new AtomicLong();

    /** Nor may what was sent before it was given up count as newer. */
    private static final AtomicLong COMMANDS = new AtomicLong();

    private record Pending(HostTask task, CompletableFuture<TaskResult> result) {}

    private final String name;
    private final HostLink link;
    private final long run;
    private final int jobRanks;
    private final RankCommand command;
    private final Duration leaseTime;
    private final Listener listener;
    private final ScheduledExecutorService loop;
    private final MonotonicClock clock;
    private final HostLease lease;
    private final Map<Long, Pending> tasks = new TreeMap<>();
    private final Set<Integer> mayRun = new HashSet<>();
    private final Set<Integer> disconnected = new HashSet<>();
    private final Set<Integer> toldExits = new HashSet<>();
    private final CompletableFuture<Integer> cleared = new CompletableFuture<>();
    private final List<CompletableFuture<Void>> killed = new ArrayList<>();
    private String instance = "";
    private String directory = "";
    private @Nullable RankStart wanted;
    private CompletableFuture<Map<Integer, Long>> starting = new CompletableFuture<>();
    private Future<?> next = CompletableFuture.completedFuture(null);
    private TcpSegments segments = TcpSegments.NONE;
    private long drainProgress;
    private long heard;
    private long said;
    private boolean calling;
    private boolean changed;
    private boolean lost;
    private boolean closed;

    RemoteHost(
            String name,
            HostLink link,
            long run,
            int jobRanks,
            RankCommand command,
            Duration lease,
            Listener listener,
            ScheduledExecutorService loop,
            MonotonicClock clock) {
        this.name = name;
        this.link = link;
        this.run = run;
        this.jobRanks = jobRanks;
        this.command = command;
        this.leaseTime = lease;
        this.listener = listener;
        this.loop = loop;
        this.clock = clock;
        this.lease = new HostLease(lease, clock.nanoTime());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletableFuture<Integer> killLeftOvers() {
        poke();
        return cleared;
    }

    @Override
    public CompletableFuture<Map<Integer, Long>> start(RankStart start) {
        starting = new CompletableFuture<>();
        if (lost) {
            starting.completeExceptionally(lost());
            return starting;
        }
        if (cleared.isCompletedExceptionally()) {
            starting.completeExceptionally(cleared.exceptionNow());
            return starting;
        }
        wanted = start;
        mayRun.addAll(start.ranks());
        disconnected.clear();
        toldExits.clear();
        poke();
        return starting;
    }

    @Override
    public CompletableFuture<Void> killAll() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        killed.add(done);
        wanted = null;
        settleKilled();
        poke();
        return done;
    }

    /** The job-host there renews it, for as long as commands come. */
    @Override
    public void renew(long until) {}

    /** For a program that hands its states over its job-host is connected, whose end says nothing of the program's. */
    @Override
    public void disconnected(int rank) {
        if (command.handover() != null) {
            return;
        }
        disconnected.add(rank);
        if (lost) {
            mayRun.remove(rank);
            settleKilled();
        } else {
            poke();
        }
    }

    /**
     * No rank of it can do anything any more. On a host that has said that it cannot remove what an earlier run left, none was
     * started; of one that was lost before it said anything, it is not known what runs.
     */
    private boolean isDead() {
        boolean hasSaid = cleared.isDone() && !(lost && cleared.isCompletedExceptionally());
        return (hasSaid && mayRun.isEmpty()) || (lost && lease.hasRunOut(clock.nanoTime()));
    }

    private void settleKilled() {
        if (!killed.isEmpty() && isDead()) {
            mayRun.clear();
            List<CompletableFuture<Void>> all = List.copyOf(killed);
            killed.clear();
            all.forEach(done -> done.complete(null));
        }
    }

    @Override
    public Path saved(long checkpoint, int rank) {
        return LocalCopies.saved(Path.of(directory), checkpoint, rank);
    }

    @Override
    public Path restored(int rank) {
        return LocalCopies.restored(Path.of(directory), rank);
    }

    @Override
    public CompletableFuture<RestoredState> restore(RestoreOrder order) {
        return ask(number -> new HostTask.Restore(number, order))
                .thenApply(result -> ((TaskResult.Restored) result).state());
    }

    @Override
    public CompletableFuture<Set<Integer>> hold(PartnerOrder order) {
        return ask(number -> new HostTask.Hold(number, order)).thenApply(result -> ((TaskResult.Held) result).ranks());
    }

    @Override
    public CompletableFuture<StoredUnit> drain(DrainOrder order) {
        return ask(number -> new HostTask.Drain(number, order))
                .thenApply(result -> ((TaskResult.Stored) result).unit());
    }

    @Override
    public void discard(long checkpoint) {
        var _ = ask(number -> new HostTask.Discard(number, checkpoint));
    }

    @Override
    public void discardBefore(long checkpoint) {
        var _ = ask(number -> new HostTask.DiscardBefore(number, checkpoint));
    }

    private CompletableFuture<TaskResult> ask(LongFunction<HostTask> task) {
        if (lost) {
            return CompletableFuture.failedFuture(lost());
        }
        long number = TASKS.incrementAndGet();
        CompletableFuture<TaskResult> result = new CompletableFuture<>();
        tasks.put(number, new Pending(task.apply(number), result));
        poke();
        return result;
    }

    @Override
    public TcpSegments segments() {
        return segments;
    }

    @Override
    public long drainProgress() {
        return drainProgress;
    }

    @Override
    public void close() {
        closed = true;
    }

    /** There is something new to say. */
    private void poke() {
        changed = true;
        if (!calling) {
            next.cancel(false);
            call();
        }
    }

    private void call() {
        if (closed || lost) {
            return;
        }
        calling = true;
        changed = false;
        long sent = clock.nanoTime();
        lease.sent(sent);
        HostCommand wants = new HostCommand(
                run,
                COMMANDS.incrementAndGet(),
                instance,
                jobRanks,
                command,
                wanted,
                tasks.values().stream().map(Pending::task).toList(),
                heard,
                said,
                leaseTime.toMillis());
        var _ = link.tell(wants)
                .whenCompleteAsync(
                        (answer, failure) -> {
                            if (closed) {
                                return;
                            }
                            if (failure == null) {
                                lease.answered(sent);
                                hear(answer, wants);
                            } else {
                                unheard(failure);
                            }
                            goOn();
                        },
                        loop);
    }

    private void goOn() {
        calling = false;
        if (lost) {
            watchLease();
            return;
        }
        Duration pause = changed ? Duration.ZERO : isBusy() ? BUSY : QUIET;
        next = loop.schedule(this::call, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private boolean isBusy() {
        return isTaskAwaited() || !killed.isEmpty() || !cleared.isDone() || (wanted != null && !starting.isDone());
    }

    /** Nobody waits for copies that are made beside. */
    private boolean isTaskAwaited() {
        return tasks.values().stream().anyMatch(pending -> !(pending.task() instanceof HostTask.Hold));
    }

    /** Until its ranks cannot do anything any more. */
    private void watchLease() {
        settleKilled();
        if (!closed && !isDead()) {
            var _ = loop.schedule(this::watchLease, QUIET.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void unheard(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (!mayRun.isEmpty() && disconnected.containsAll(mayRun)) {
            lose("its ranks have ended, and nobody answers: " + cause.getMessage());
        } else if (lease.isSilent(clock.nanoTime())) {
            lose("it has not answered for " + leaseTime.toMillis() + " ms: " + cause.getMessage());
        }
    }

    private void hear(HostAnswer answer, HostCommand wants) {
        switch (answer) {
            case HostAnswer.Fenced fenced -> {
                lose("it obeys run " + fenced.run() + ", this is run " + run);
                listener.superseded(name);
            }
            case Report report -> hear(report, wants);
        }
    }

    private void hear(Report report, HostCommand wants) {
        if (!instance.isEmpty() && !report.instance().equals(instance)) {
            if (report.cleared()) {
                mayRun.clear();
                lose("it was started anew");
            }
            return;
        }
        if (instance.isEmpty()) {
            instance = report.instance();
            directory = report.directory();
            heard = report.firstLine();
            changed = true;
        }
        said = report.said();
        segments = report.segments();
        drainProgress = report.drainProgress();
        takeOutput(report);
        takeResults(report);
        if (report.cleared()) {
            cleared.complete(report.leftOvers());
        }
        if (report.failure() != null && !cleared.isDone()) {
            cleared.completeExceptionally(new IOException("host " + name + ": " + report.failure()));
        }
        takeRanks(report, wants);
        settleKilled();
    }

    private void takeOutput(Report report) {
        long dropped = report.firstLine() - heard;
        if (dropped > 0) {
            listener.notice("host " + name + ": " + dropped + " lines of output were dropped");
        }
        for (int at = (int) Math.max(0, -dropped); at < report.output().size(); at++) {
            HostAnswer.OutputLine line = report.output().get(at);
            listener.output(line.rank(), line.text());
        }
        long next = report.firstLine() + report.output().size();
        changed |= next > heard;
        heard = Math.max(heard, next);
    }

    private void takeResults(Report report) {
        report.results().forEach((number, result) -> {
            Pending pending = tasks.remove(number);
            if (pending != null && result instanceof TaskResult.Failed failed) {
                pending.result().completeExceptionally(failed.toException());
            } else if (pending != null) {
                pending.result().complete(result);
            }
        });
    }

    /** What the report says of ranks holds for the attempt that the command wanted, or an earlier one. */
    private void takeRanks(Report report, HostCommand wants) {
        RankStart asked = wants.start();
        if (asked != null && asked.equals(wanted) && report.started() == asked.attempt()) {
            takeStart(asked, report);
            report.exits().stream().filter(exit -> toldExits.add(exit.rank())).forEach(this::takeExit);
            if (!report.running()) {
                mayRun.clear();
                lose("its lease ran out, it has ended its ranks");
            }
        } else if (asked == null && wanted == null) {
            report.exits().stream()
                    .filter(exit -> mayRun.contains(exit.rank()) && toldExits.add(exit.rank()))
                    .forEach(this::takeExit);
            if (report.cleared() && !report.running()) {
                mayRun.clear();
            }
        }
    }

    /** A host has begun as soon as it makes its ranks ready, and has their pids when they run. */
    private void takeStart(RankStart asked, Report report) {
        String failure = report.failure();
        if (failure != null) {
            starting.completeExceptionally(new IOException("host " + name + ": " + failure));
        } else if (report.pids().keySet().containsAll(asked.ranks())) {
            starting.complete(report.pids());
        }
    }

    private void takeExit(RankExit exit) {
        mayRun.remove(exit.rank());
        listener.exited(exit);
    }

    private HostLostException lost() {
        return new HostLostException("host " + name + " is lost");
    }

    /** Told first: who waits for the host's answers must find out why they fail. */
    private void lose(String reason) {
        lost = true;
        mayRun.removeAll(disconnected);
        listener.lost(name, reason);
        HostLostException failure = lost();
        starting.completeExceptionally(failure);
        cleared.completeExceptionally(failure);
        List<Pending> waiting = List.copyOf(tasks.values());
        tasks.clear();
        waiting.forEach(pending -> pending.result().completeExceptionally(failure));
    }
}
