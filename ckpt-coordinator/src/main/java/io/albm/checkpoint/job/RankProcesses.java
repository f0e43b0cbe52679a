// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.handover.Handover;
import io.albm.checkpoint.handover.HandoverRank;
import io.albm.checkpoint.protocol.JobSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The processes of a job's ranks on this node, which are on disk, too, for a successor to kill. Not thread-safe. */
final class RankProcesses {
    private final JobSpec spec;
    private final List<String> command;
    private final @Nullable Handover handover;
    private final LocalCopies copies;
    private final RankTable table;
    private final Map<Integer, RankProcess> alive = new HashMap<>();

    /** @param handover null if the command speaks to the supervisor itself, or is not checkpointed */
    RankProcesses(JobSpec spec, List<String> command, @Nullable Handover handover, LocalCopies copies, Path directory) {
        this.spec = spec;
        this.command = List.copyOf(command);
        this.handover = handover;
        this.copies = copies;
        this.table = new RankTable(directory);
    }

    /** Kills what is left of an earlier supervisor's ranks; returns how many there were, all seen dead. */
    int killLeftOvers() throws IOException {
        return table.killLeftOvers();
    }

    /**
     * Starts all ranks.
     *
     * @param control where they find their supervisor
     * @param restoredStep the step that they go on from; empty at the beginning
     * @param output gets a rank and each line that it prints
     * @param exited gets a process and its exit code, on any thread
     * @return their pids, in rank order
     * @throws IOException if one cannot be started; those before it run
     */
    List<Long> start(
            int attempt,
            String control,
            OptionalLong restoredStep,
            BiConsumer<Integer, String> output,
            BiConsumer<RankProcess, Integer> exited)
            throws IOException {
        List<Long> pids = new ArrayList<>();
        for (int rank : spec.allRanks()) {
            Map<String, String> environment = Map.of(
                    "ALBM_JOB", spec.name(),
                    "ALBM_RANK", Integer.toString(rank),
                    "ALBM_RANKS", Integer.toString(spec.ranks()),
                    "ALBM_ATTEMPT", Integer.toString(attempt),
                    "ALBM_CONTROL", control);
            RankProcess started = start(rank, control, restoredStep, environment, line -> output.accept(rank, line));
            alive.put(rank, started);
            pids.add(started.pid());
            var _ = started.exit().thenAccept(exit -> exited.accept(started, exit));
        }
        table.write(alive.values().stream().map(RankProcess::identity).toList());
        return pids;
    }

    private RankProcess start(
            int rank,
            String control,
            OptionalLong restoredStep,
            Map<String, String> environment,
            Consumer<String> output)
            throws IOException {
        if (handover == null) {
            return RankProcess.start(rank, command, environment, output);
        }
        Path restored = restoredStep.isPresent() ? copies.restored(rank) : null;
        HandoverRank beside = handover.prepare(
                new HandoverRank.Rank(rank, spec.ranks(), control, restored, restoredStep.orElse(-1)), output);
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(beside.environment());
        RankProcess started = RankProcess.start(rank, beside.command(command), all, output);
        beside.begin(started.handle());
        var _ = started.exit().thenRunAsync(() -> handover.end(beside));
        return started;
    }

    /** It has ended. */
    void remove(RankProcess ended) {
        alive.remove(ended.rank());
    }

    boolean isEmpty() {
        return alive.isEmpty();
    }

    /** Those that have begun to die. */
    List<RankProcess> dying() {
        return alive.values().stream().filter(RankProcess::isDying).toList();
    }

    /** Done when all are seen dead. */
    CompletableFuture<Void> killAll() {
        return CompletableFuture.allOf(
                alive.values().stream().map(RankProcess::kill).toArray(CompletableFuture[]::new));
    }
}
