// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.RankHosts;
import io.albm.checkpoint.strategy.TcpSegments;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** The hosts of a job, and which ranks run on which. For one thread, the supervisor's loop. */
final class JobHosts {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final JobSpec spec;
    private final JobStore store;
    private final HostSource source;
    private final RankHost.Listener listener;
    private final ScheduledExecutorService loop;
    private final Map<String, RankHost> opened = new TreeMap<>();
    private final Set<String> lost = new TreeSet<>();
    private final Map<String, TcpSegments> segments = new TreeMap<>();
    private final Set<Integer> alive = new TreeSet<>();
    private Placement placement = Placement.NONE;
    private Placement lastRun = Placement.NONE;
    private Set<String> answering = Set.of();
    private RankHosts recorded = RankHosts.NONE;
    private boolean begun;
    private int round;
    private String said = "";

    JobHosts(
            JobSpec spec,
            JobStore store,
            HostSource source,
            RankHost.Listener listener,
            ScheduledExecutorService loop) {
        this.spec = spec;
        this.store = store;
        this.source = source;
        this.listener = listener;
        this.loop = loop;
    }

    /**
     * Finds a host for every rank, for as long as that takes, and sees what earlier runs have left on them dead. Every rank
     * of this run must be dead. Completes on the loop; never, if it is called again before it has completed.
     */
    CompletableFuture<Void> place() {
        int mine = ++round;
        said = "";
        lost.forEach(this::close);
        lost.clear();
        CompletableFuture<Void> ready =
                begun ? CompletableFuture.completedFuture(null) : onLoop(mine, store::placement, this::endLastRun);
        return ready.thenCompose(_ -> find(mine));
    }

    /** What the last run's supervisor has left on hosts that do not answer now ends with their lease. */
    private CompletableFuture<Void> endLastRun(RankHosts last) {
        int mine = round;
        recorded = last;
        return onLoop(mine, source::answering, answering -> {
            Placement before = new Placement(new TreeMap<>(last.ranks()));
            lastRun = before;
            placement = source.choice().continued(spec.ranks(), before);
            SortedSet<String> there = before.hosts();
            there.removeIf(host -> source.lease().isZero() || !answering.contains(host));
            CompletableFuture<Void> cleared = clear(there);
            there.removeAll(left(there));
            SortedSet<String> silent = before.hosts();
            silent.removeAll(there);
            if (silent.isEmpty()) {
                return cleared;
            }
            Duration rest = HostLease.longest(Duration.ofMillis(last.leaseMillis()));
            listener.notice("hosts " + String.join(", ", silent) + " of the last run cannot be asked: waits "
                    + rest.toSeconds() + " s until their ranks have ended by themselves");
            return cleared.thenCompose(_ -> after(mine, rest));
        });
    }

    private CompletableFuture<Void> find(int mine) {
        return onLoop(mine, source::answering, there -> {
            answering = Set.copyOf(there);
            return switch (source.choice().place(spec.ranks(), placement, there)) {
                case HostChoice.Decision.Placed(Placement next) -> adopt(mine, next);
                case HostChoice.Decision.TooFew(String reason) -> waitFor(mine, reason);
            };
        });
    }

    private CompletableFuture<Void> waitFor(int mine, String reason) {
        if (!begun && placement.size() == 0) {
            return CompletableFuture.failedFuture(new IOException(reason));
        }
        if (!said.equals(reason)) {
            said = reason;
            listener.notice("waits: " + reason);
        }
        return after(mine, RETRY).thenCompose(_ -> find(mine));
    }

    /**
     * Recorded before a rank is started. If a host has left since it answered, no rank has run on it: all are placed anew, as
     * if it had not answered.
     */
    private CompletableFuture<Void> adopt(int mine, Placement next) {
        begun = true;
        SortedSet<String> unused = new TreeSet<>(opened.keySet());
        unused.removeAll(next.hosts());
        unused.forEach(this::close);
        CompletableFuture<Void> cleared = clear(next.hosts());
        SortedSet<String> left = left(next.hosts());
        return cleared.thenCompose(_ -> left.isEmpty()
                ? record(mine, next)
                : waitFor(mine, "host " + String.join(", ", left) + " has left the cluster"));
    }

    private void tellMoves(Placement next) {
        for (String host : placement.hosts()) {
            Map<String, List<Integer>> moved = new TreeMap<>();
            placement.on(host).stream()
                    .filter(rank -> !next.hostOf(rank).equals(host))
                    .forEach(rank -> moved.computeIfAbsent(next.hostOf(rank), _ -> new ArrayList<>())
                            .add(rank));
            moved.forEach(
                    (to, ranks) -> listener.notice("ranks " + ranks + " go from host " + host + " to host " + to));
        }
    }

    private CompletableFuture<Void> record(int mine, Placement next) {
        if (mine != round) {
            return new CompletableFuture<>();
        }
        tellMoves(next);
        placement = next;
        RankHosts now = source.lease().isZero()
                ? RankHosts.NONE
                : new RankHosts(source.lease().toMillis(), placement.ranks());
        if (now.equals(recorded)) {
            return CompletableFuture.completedFuture(null);
        }
        return this.<Void, Void>onLoop(mine, () -> store.recordPlacement(now, source.run()), _ -> {
            recorded = now;
            return CompletableFuture.completedFuture(null);
        });
    }

    /** Those that could not be opened. */
    private SortedSet<String> left(Collection<String> hosts) {
        SortedSet<String> left = new TreeSet<>(hosts);
        left.removeAll(opened.keySet());
        return left;
    }

    /** Opens those that are not open yet and have not left, and kills what they have of earlier runs. */
    private CompletableFuture<Void> clear(Collection<String> hosts) {
        List<CompletableFuture<Void>> cleared = new ArrayList<>();
        for (String name : hosts) {
            if (opened.containsKey(name)) {
                continue;
            }
            try {
                source.open(name, listener, loop).ifPresent(host -> {
                    opened.put(name, host);
                    cleared.add(host.killLeftOvers().thenAcceptAsync(this::tellLeftOvers, loop));
                });
            } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
        return CompletableFuture.allOf(cleared.toArray(CompletableFuture[]::new));
    }

    private void tellLeftOvers(int killed) {
        if (killed > 0) {
            listener.notice("killed " + killed + " ranks that an earlier supervisor had left");
        }
    }

    private void close(String name) {
        RankHost host = opened.remove(name);
        if (host != null) {
            segments.merge(name, host.segments(), (_, now) -> now);
            host.close();
        }
    }

    /** Starts all ranks; completes as {@link RankHost#start}, with the pids of all. */
    CompletableFuture<Map<Integer, Long>> start(int attempt, String control, long restoredStep) {
        alive.clear();
        alive.addAll(spec.allRanks());
        CompletableFuture<Map<Integer, Long>> all = CompletableFuture.completedFuture(new TreeMap<>());
        List<CompletableFuture<Map<Integer, Long>>> each = placement.hosts().stream()
                .map(host -> of(host).start(new RankStart(attempt, control, restoredStep, placement.on(host))))
                .toList();
        for (CompletableFuture<Map<Integer, Long>> started : each) {
            all = all.thenCombine(started, (pids, more) -> {
                pids.putAll(more);
                return pids;
            });
        }
        return all;
    }

    /** Where all ranks are. */
    Placement placement() {
        return placement;
    }

    /** Where all ranks were when the job's last run ended. */
    Placement lastRun() {
        return lastRun;
    }

    /** A host could be used when the ranks were placed. */
    boolean isAnswering(String host) {
        return answering.contains(host);
    }

    /** How many hosts the ranks are placed on. */
    int count() {
        return placement.hosts().size();
    }

    /** A rank has ended. */
    void ended(int rank) {
        alive.remove(rank);
    }

    /** No rank runs. */
    boolean isEmpty() {
        return alive.isEmpty();
    }

    /** Done when no rank can do anything any more. */
    CompletableFuture<Void> killAll() {
        return CompletableFuture.allOf(
                opened.values().stream().map(RankHost::killAll).toArray(CompletableFuture[]::new));
    }

    /** A host is not used any more; returns those of its ranks that had not ended. */
    List<Integer> lost(String host) {
        lost.add(host);
        return placement.on(host).stream().filter(alive::contains).toList();
    }

    /** See {@link RankHost#disconnected}. */
    void disconnected(int rank) {
        RankHost host = opened.get(placement.hostOf(rank));
        if (host != null) {
            host.disconnected(rank);
        }
    }

    List<Integer> on(String host) {
        return placement.on(host);
    }

    /** Where a rank runs. */
    RankHost hostOf(int rank) {
        return of(placement.hostOf(rank));
    }

    private RankHost of(String name) {
        RankHost host = opened.get(name);
        if (host == null) {
            throw new IllegalStateException("host " + name + " is not open");
        }
        return host;
    }

    /** The host of each rank; empty if all are children of the supervisor. */
    List<String> names() {
        return source.lease().isZero()
                ? List.of()
                : spec.allRanks().stream().map(placement::hostOf).toList();
    }

    Collection<RankHost> all() {
        return opened.values();
    }

    /** Of all hosts that the job has had: each one's counters only grow. */
    TcpSegments segments() {
        opened.values().forEach(host -> segments.put(host.name(), host.segments()));
        return segments.values().stream().reduce(TcpSegments.NONE, TcpSegments::plus);
    }

    /** Of all hosts; see {@link RankHost#drainProgress}. */
    long drainProgress() {
        return opened.values().stream().mapToLong(RankHost::drainProgress).sum();
    }

    void close() {
        List.copyOf(opened.keySet()).forEach(this::close);
    }

    /** Asks until there is an answer, and goes on with it on the loop, unless this round is over. */
    private <T, R> CompletableFuture<R> onLoop(
            int mine, Supplier<CompletableFuture<T>> question, Function<T, CompletableFuture<R>> next) {
        CompletableFuture<R> result = new CompletableFuture<>();
        ask(mine, question, next, result);
        return result;
    }

    private <T, R> void ask(
            int mine,
            Supplier<CompletableFuture<T>> question,
            Function<T, CompletableFuture<R>> next,
            CompletableFuture<R> result) {
        var _ = question.get()
                .whenCompleteAsync(
                        (answer, failure) -> {
                            if (mine != round) {
                                return;
                            }
                            if (failure == null) {
                                goOn(() -> next.apply(answer), result);
                            } else {
                                listener.notice("waits for the cluster: "
                                        + cause(failure).getMessage());
                                var _ = loop.schedule(
                                        () -> ask(mine, question, next, result),
                                        RETRY.toMillis(),
                                        TimeUnit.MILLISECONDS);
                            }
                        },
                        loop);
    }

    private static <R> void goOn(Supplier<CompletableFuture<R>> next, CompletableFuture<R> result) {
        try {
            var _ = next.get().whenComplete((done, failure) -> complete(result, done, failure));
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
    }

    private static <R> void complete(CompletableFuture<R> result, R done, Throwable failure) {
        if (failure == null) {
            result.complete(done);
        } else {
            result.completeExceptionally(cause(failure));
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private CompletableFuture<Void> after(int mine, Duration delay) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        var _ = loop.schedule(
                () -> {
                    if (mine == round) {
                        result.complete(null);
                    }
                },
                delay.toMillis(),
                TimeUnit.MILLISECONDS);
        return result;
    }
}
