// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a job's ranks on this host, which are on disk, too, for a successor to kill. For one thread, the loop.
 */
final class RankProcesses {
    private final RankPreparation preparation;
    private final RankTable table;
    private final WatchScript watch;
    private final Executor blocking;
    private final Executor loop;

    /** With what is done when its end has been told. */
    private final Map<RankProcess, CompletableFuture<Void>> alive = new HashMap<>();

    private final Set<RankProcess> killed = new HashSet<>();
    private long until = WatchScript.NEVER;

    /** What is being started, or was started last; null when it was killed. */
    private volatile @Nullable RankStart wanted;

    /** Done when the last start has come to its processes, or to nothing. */
    private CompletableFuture<Void> preparing = CompletableFuture.completedFuture(null);

    /** @param blocking runs tasks that block, each on a thread of its own */
    RankProcesses(RankPreparation preparation, RankTable table, WatchScript watch, Executor blocking, Executor loop) {
        this.preparation = preparation;
        this.table = table;
        this.watch = watch;
        this.blocking = blocking;
        this.loop = loop;
    }

    /** Kills what is left of an earlier supervisor's ranks; returns how many there were, all seen dead. Blocks. */
    int killLeftOvers() throws IOException {
        return table.killLeftOvers();
    }

    /**
     * Starts ranks. They are made ready elsewhere before: leases run out while this thread waits for a disk.
     *
     * @param output gets a rank and each line that it prints, on any thread
     * @param exited gets the exits of those that end by themselves
     * @return as {@link RankHost#start}; if one cannot be started, those before it run
     */
    CompletableFuture<Map<Integer, Long>> start(
            RankStart start, BiConsumer<Integer, String> output, Consumer<RankExit> exited) {
        CompletableFuture<Map<Integer, Long>> begun = new CompletableFuture<>();
        killed.clear();
        wanted = start;
        preparing = preparing
                .thenApplyAsync(_ -> prepare(start, output), blocking)
                .handleAsync(
                        (ready, failure) -> {
                            if (failure != null) {
                                notReady(start, failure, begun);
                            } else if (start.equals(wanted)) {
                                begin(start.attempt(), ready, output, exited, begun);
                            } else {
                                ready.forEach(rank -> rank.end().run());
                            }
                            return null;
                        },
                        loop);
        return begun;
    }

    private List<PreparedRank> prepare(RankStart start, BiConsumer<Integer, String> output) {
        try {
            return preparation.prepare(start, output, () -> start.equals(wanted));
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private void notReady(RankStart start, Throwable failure, CompletableFuture<Map<Integer, Long>> begun) {
        if (start.equals(wanted)) {
            Throwable cause = failure.getCause();
            begun.completeExceptionally(cause == null ? failure : cause);
        }
    }

    private void begin(
            int attempt,
            List<PreparedRank> ready,
            BiConsumer<Integer, String> output,
            Consumer<RankExit> exited,
            CompletableFuture<Map<Integer, Long>> begun) {
        try {
            begun.complete(begin(attempt, ready, output, exited));
        } catch (IOException | RuntimeException e) {
            begun.completeExceptionally(e);
        }
    }

    private Map<Integer, Long> begin(
            int attempt, List<PreparedRank> ready, BiConsumer<Integer, String> output, Consumer<RankExit> exited)
            throws IOException {
        Map<Integer, Long> pids = new TreeMap<>();
        try {
            for (PreparedRank rank : ready) {
                RankProcess started = rank.start(watch, until, line -> output.accept(rank.rank(), line));
                pids.put(rank.rank(), started.pid());
                alive.put(started, started.exit().thenAcceptAsync(exit -> ended(attempt, started, exit, exited), loop));
            }
        } finally {
            ready.stream()
                    .filter(rank -> !pids.containsKey(rank.rank()))
                    .forEach(rank -> rank.end().run());
            table.write(alive.keySet().stream().map(RankProcess::family).toList());
        }
        return pids;
    }

    /**
     * The ranks that run, and those that are started later, are killed at this time unless it is put off; without a first
     * time they are never.
     *
     * @param nanos of the monotonic clock
     * @throws IOException if the machine's own clock cannot be read; the time of before holds
     */
    void renew(long nanos) throws IOException {
        until = WatchScript.at(nanos);
        alive.keySet().forEach(process -> process.renew(until));
    }

    private void ended(int attempt, RankProcess process, int exit, Consumer<RankExit> exited) {
        alive.remove(process);
        if (!killed.contains(process)) {
            exited.accept(new RankExit(attempt, process.rank(), process.pid(), exit));
        }
    }

    /**
     * Done when all are seen dead, and none is made ready any more: the next one's place is the same. Those that had begun to
     * die are told of: the first death that is seen may be the consequence of another one.
     */
    CompletableFuture<Void> killAll() {
        wanted = null;
        alive.keySet().stream().filter(process -> !process.isDying()).forEach(killed::add);
        return CompletableFuture.allOf(
                Stream.of(Stream.of(preparing), alive.keySet().stream().map(RankProcess::kill), alive.values().stream())
                        .flatMap(futures -> futures)
                        .toArray(CompletableFuture[]::new));
    }
}
