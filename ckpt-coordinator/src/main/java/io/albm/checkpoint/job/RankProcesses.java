// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.handover.Handover;
import io.albm.checkpoint.handover.HandoverRank;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a job's ranks on this host, which are on disk, too, for a successor to kill. For one thread, the loop.
 */
final class RankProcesses {
    private final String job;
    private final int ranks;
    private final RankCommand command;
    private final @Nullable Handover handover;
    private final LocalCopies copies;
    private final RankTable table;
    private final WatchScript watch;
    private final Executor loop;

    /** With what is done when its end has been told. */
    private final Map<RankProcess, CompletableFuture<Void>> alive = new HashMap<>();

    private final Set<RankProcess> killed = new HashSet<>();
    private long until = WatchScript.NEVER;

    /** @param handover null if the command speaks to the supervisor itself, or is not checkpointed */
    RankProcesses(
            String job,
            int ranks,
            RankCommand command,
            @Nullable Handover handover,
            LocalCopies copies,
            RankTable table,
            WatchScript watch,
            Executor loop) {
        this.job = job;
        this.ranks = ranks;
        this.command = command;
        this.handover = handover;
        this.copies = copies;
        this.table = table;
        this.watch = watch;
        this.loop = loop;
    }

    /** Kills what is left of an earlier supervisor's ranks; returns how many there were, all seen dead. Blocks. */
    int killLeftOvers() throws IOException {
        return table.killLeftOvers();
    }

    /**
     * Starts ranks.
     *
     * @param output gets a rank and each line that it prints, on any thread
     * @param exited gets the exits of those that end by themselves
     * @return their pids
     * @throws IOException if one cannot be started; those before it run
     */
    Map<Integer, Long> start(RankStart start, BiConsumer<Integer, String> output, Consumer<RankExit> exited)
            throws IOException {
        Map<Integer, Long> pids = new TreeMap<>();
        killed.clear();
        try {
            for (int rank : start.ranks()) {
                RankProcess started = start(start, rank, line -> output.accept(rank, line));
                pids.put(rank, started.pid());
                alive.put(
                        started,
                        started.exit().thenAcceptAsync(exit -> ended(start.attempt(), started, exit, exited), loop));
            }
        } finally {
            table.write(alive.keySet().stream().map(RankProcess::family).toList());
        }
        return pids;
    }

    private RankProcess start(RankStart start, int rank, Consumer<String> output) throws IOException {
        Map<String, String> environment = environment(start, rank);
        String mark = UUID.randomUUID().toString();
        if (handover == null) {
            return RankProcess.start(rank, command, environment, mark, watch, until, output);
        }
        Path restored = start.isAtTheBeginning() ? null : copies.restored(rank);
        HandoverRank beside = handover.prepare(
                new HandoverRank.Rank(rank, ranks, start.control(), restored, start.restoredStep()), output);
        environment.putAll(beside.environment());
        RankProcess started;
        try {
            started = RankProcess.start(
                    rank, command.with(beside.command(command.line())), environment, mark, watch, until, output);
        } catch (IOException e) {
            handover.end(beside);
            throw e;
        }
        environment.put(RankFamily.MARK, mark);
        beside.begin(started.handle(), environment, Path.of(command.directory()));
        var _ = started.exit()
                .thenRunAsync(() -> handover.end(beside), Thread.ofVirtual().name("handover-end-" + rank)::start);
        return started;
    }

    private Map<String, String> environment(RankStart start, int rank) {
        Map<String, String> environment = new HashMap<>(command.environment());
        environment.put("ALBM_JOB", job);
        environment.put("ALBM_RANK", Integer.toString(rank));
        environment.put("ALBM_RANKS", Integer.toString(ranks));
        environment.put("ALBM_ATTEMPT", Integer.toString(start.attempt()));
        environment.put("ALBM_CONTROL", start.control());
        return environment;
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
     * Done when all are seen dead. Those that had begun to die are told of: the first death that is seen may be the
     * consequence of another one.
     */
    CompletableFuture<Void> killAll() {
        alive.keySet().stream().filter(process -> !process.isDying()).forEach(killed::add);
        return CompletableFuture.allOf(
                Stream.concat(alive.keySet().stream().map(RankProcess::kill), alive.values().stream())
                        .toArray(CompletableFuture[]::new));
    }
}
