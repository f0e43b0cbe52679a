// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.protocol.JobSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** The processes of a job's ranks on this node, which are on disk, too, for a successor to kill. Not thread-safe. */
final class RankProcesses {
    private final JobSpec spec;
    private final List<String> command;
    private final RankTable table;
    private final Map<Integer, RankProcess> alive = new HashMap<>();

    RankProcesses(JobSpec spec, List<String> command, Path directory) {
        this.spec = spec;
        this.command = List.copyOf(command);
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
     * @param output gets a rank and each line that it prints
     * @param exited gets a process and its exit code, on any thread
     * @return their pids, in rank order
     * @throws IOException if one cannot be started; those before it run
     */
    List<Long> start(
            int attempt, String control, BiConsumer<Integer, String> output, BiConsumer<RankProcess, Integer> exited)
            throws IOException {
        List<Long> pids = new ArrayList<>();
        for (int rank : spec.allRanks()) {
            Map<String, String> environment = Map.of(
                    "ALBM_JOB", spec.name(),
                    "ALBM_RANK", Integer.toString(rank),
                    "ALBM_RANKS", Integer.toString(spec.ranks()),
                    "ALBM_ATTEMPT", Integer.toString(attempt),
                    "ALBM_CONTROL", control);
            RankProcess started = RankProcess.start(rank, command, environment, line -> output.accept(rank, line));
            alive.put(rank, started);
            pids.add(started.pid());
            var _ = started.exit().thenAccept(exit -> exited.accept(started, exit));
        }
        table.write(alive.values().stream().map(RankProcess::identity).toList());
        return pids;
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
