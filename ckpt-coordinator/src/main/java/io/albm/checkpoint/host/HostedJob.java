// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import io.albm.checkpoint.host.HostAnswer.Report;
import io.albm.checkpoint.job.RankExit;
import io.albm.checkpoint.job.RankHost;
import io.albm.checkpoint.job.RankStart;
import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.core.time.MonotonicClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One job's ranks on this host, as its supervisor wants them. Each command is compared with what is so, and one step is done
 * at a time: see the ranks of earlier runs dead, kill, start. For one thread, the loop.
 */
final class HostedJob {
    private static final Logger log = LoggerFactory.getLogger(HostedJob.class);

    /** In one lease: each renewal is some work for each rank, and the last one must not be much too old. */
    private static final int RENEWALS = 8;

    /** Makes the host of one run. */
    @FunctionalInterface
    interface HostFactory {
        RankHost open(HostCommand command, RankHost.Listener listener) throws IOException;
    }

    private final String job;
    private final String instance;
    private final Path directory;
    private final HostFactory factory;
    private final Executor loop;
    private final MonotonicClock clock;
    private final OutputLog output = new OutputLog();
    private final Map<Long, CompletableFuture<TaskResult>> tasks = new HashMap<>();
    private final List<RankExit> exits = new CopyOnWriteArrayList<>();
    private @Nullable RankHost host;
    private @Nullable RankStart wanted;
    private volatile Map<Integer, Long> pids = Map.of();
    private @Nullable String failure;
    private long run;
    private long newest;
    private long heard;
    private long lease;
    private long renewed;
    private CompletableFuture<Void> clearing = CompletableFuture.completedFuture(null);
    private final LongAdder expiries = new LongAdder();
    private int leftOvers;
    private int started;
    private boolean cleared;
    private volatile boolean running;
    private boolean busy;

    /**
     * @param run the run whose supervisor registered last, as the coordination store says; lower ones are refused
     * @param instance of this process
     * @param directory of the job on this host
     */
    HostedJob(
            String job,
            long run,
            String instance,
            Path directory,
            HostFactory factory,
            Executor loop,
            MonotonicClock clock) {
        this.job = job;
        this.run = run;
        this.instance = instance;
        this.directory = directory;
        this.factory = factory;
        this.loop = loop;
        this.clock = clock;
    }

    /** Takes a command. One that a newer one has overtaken may want what is over: its supervisor has given it up. */
    HostAnswer on(HostCommand command) throws IOException {
        if (command.run() < run) {
            return new HostAnswer.Fenced(run);
        }
        if (command.run() > run || host == null) {
            begin(command);
        } else if (command.number() < newest) {
            return report();
        }
        newest = command.number();
        lease = command.leaseMillis() * 1_000_000;
        boolean meansThis = command.instance().equals(instance);
        wanted = meansThis ? command.start() : null;
        if (meansThis) {
            renew(command.said());
            output.taken(command.heard());
            take(command.tasks());
        }
        expire();
        converge();
        return report();
    }

    /** The ranks' watchers measure the lease, too: this process may be killed, or stopped. */
    private void renew(long said) {
        if (said - heard > 0) {
            heard = said;
        }
        long until = heard + lease;
        if (host != null && until - renewed >= lease / RENEWALS) {
            renewed = until;
            host.renew(until);
        }
    }

    /**
     * A new run: what earlier ones have left is killed first, by one run after the other. A run that was replaced before its
     * turn kills nothing: what is left there may be of its successor.
     */
    private void begin(HostCommand command) throws IOException {
        RankHost next = factory.open(command, new Listener(command.run()));
        RankHost earlier = host;
        host = next;
        run = command.run();
        heard = clock.nanoTime();
        renewed = heard;
        output.clear();
        tasks.clear();
        exits.clear();
        pids = Map.of();
        failure = null;
        started = 0;
        cleared = false;
        long mine = run;
        busy = true;
        running = false;
        CompletableFuture<Void> killed = earlier == null
                ? CompletableFuture.completedFuture(null)
                : earlier.killAll().thenRunAsync(earlier::close, loop);
        clearing = clearing.thenCombine(killed, (_, _) -> mine)
                .thenComposeAsync(this::killLeftOvers, loop)
                .handleAsync(
                        (killedLater, failed) -> {
                            cleared(mine, killedLater, failed);
                            return null;
                        },
                        loop);
    }

    private CompletableFuture<Integer> killLeftOvers(long mine) {
        return mine == run && host != null ? host.killLeftOvers() : CompletableFuture.completedFuture(0);
    }

    private void cleared(long mine, @Nullable Integer killed, @Nullable Throwable failed) {
        if (mine != run) {
            return;
        }
        busy = false;
        if (failed == null && killed != null) {
            cleared = true;
            leftOvers = killed;
        } else {
            failure = "what an earlier run left cannot be removed: " + failed;
        }
        converge();
    }

    /** One step towards what is wanted. */
    private void converge() {
        if (busy || !cleared || host == null) {
            return;
        }
        int wantedAttempt = wanted == null ? 0 : wanted.attempt();
        if (running && wantedAttempt != started) {
            kill(host);
        } else if (!running && wanted != null && wantedAttempt > started) {
            start(host, wanted);
        }
    }

    private void kill(RankHost on) {
        long mine = run;
        busy = true;
        var _ = on.killAll()
                .thenRunAsync(
                        () -> {
                            if (mine == run) {
                                busy = false;
                                running = false;
                                converge();
                            }
                        },
                        loop);
    }

    private void start(RankHost on, RankStart start) {
        started = start.attempt();
        running = true;
        exits.clear();
        pids = Map.of();
        failure = null;
        var _ = on.start(start).whenComplete((begun, failed) -> {
            pids = failed == null ? begun : Map.of();
            failure = failed == null ? null : String.valueOf(failed.getMessage());
        });
    }

    private void take(List<HostTask> all) {
        Set<Long> numbers = all.stream().map(HostTask::number).collect(Collectors.toSet());
        tasks.keySet().retainAll(numbers);
        if (host != null) {
            RankHost on = host;
            all.forEach(task -> tasks.computeIfAbsent(task.number(), _ -> begin(on, task)));
        }
    }

    private static CompletableFuture<TaskResult> begin(RankHost on, HostTask task) {
        CompletableFuture<? extends TaskResult> result = switch (task) {
            case HostTask.Restore restore -> on.restore(restore.order()).thenApply(TaskResult.Restored::new);
            case HostTask.Drain drain -> on.drain(drain.order()).thenApply(TaskResult.Stored::new);
            case HostTask.Hold hold -> on.hold(hold.order()).thenApply(TaskResult.Held::new);
            case HostTask.Discard discard -> {
                on.discard(discard.checkpoint());
                yield CompletableFuture.completedFuture(new TaskResult.Done());
            }
            case HostTask.DiscardBefore discard -> {
                on.discardBefore(discard.checkpoint());
                yield CompletableFuture.completedFuture(new TaskResult.Done());
            }
        };
        return result.handle((done, failed) -> failed == null ? done : TaskResult.Failed.of(failed));
    }

    /** Exits are told when all that was printed before is: who hears that all ranks have ended well asks no more. */
    private Report report() {
        Map<Long, TaskResult> results = new HashMap<>();
        tasks.forEach((number, result) -> {
            if (result.isDone()) {
                results.put(number, result.join());
            }
        });
        List<RankExit> told = output.isShort() ? exits : List.of();
        return new Report(
                instance,
                clock.nanoTime(),
                directory.toString(),
                cleared,
                leftOvers,
                started,
                running,
                pids,
                told,
                failure,
                results,
                output.first(),
                output.next(),
                host == null ? TcpSegments.NONE : host.segments(),
                host == null ? 0 : host.drainProgress());
    }

    /** Kills all ranks if the supervisor is not heard any more. */
    void tick() {
        if (expire()) {
            converge();
        }
    }

    /** A command that lay here while this process was stopped starts nothing. */
    private boolean expire() {
        boolean expired = wanted != null && clock.nanoTime() - heard > lease;
        if (expired) {
            log.warn("job {}: its supervisor was not heard for {} ms: all ranks are killed", job, lease / 1_000_000);
            wanted = null;
            expiries.increment();
        }
        return expired;
    }

    /** How many ranks may be alive; for any thread. */
    int ranks() {
        return running ? pids.size() - exits.size() : 0;
    }

    /** How often the supervisor was not heard any more; for any thread. */
    long expiries() {
        return expiries.sum();
    }

    /** Kills all ranks; done when they are seen dead. */
    CompletableFuture<Void> end() {
        wanted = null;
        return host == null ? CompletableFuture.completedFuture(null) : host.killAll();
    }

    private final class Listener implements RankHost.Listener {
        private final long mine;

        Listener(long mine) {
            this.mine = mine;
        }

        @Override
        public void output(int rank, String line) {
            output.add(rank, line);
        }

        @Override
        public void exited(RankExit exit) {
            if (mine == run && exit.attempt() == started) {
                exits.add(exit);
            }
        }

        @Override
        public void lost(String lostHost, String reason) {
            throw new IllegalStateException("a host does not lose itself");
        }

        @Override
        public void superseded(String by) {
            throw new IllegalStateException("a host does not supersede itself");
        }

        @Override
        public void notice(String text) {
            log.info("job {}: {}", job, text);
        }
    }
}
