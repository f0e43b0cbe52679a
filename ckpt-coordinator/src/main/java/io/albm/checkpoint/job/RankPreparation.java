// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.handover.Handover;
import io.albm.checkpoint.handover.HandoverRank;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes all ready for the ranks of one host. A state that is a directory is laid out for its program, which takes as long as it
 * is large. Blocks; for any thread, one at a time.
 *
 * @param ranks of the whole job
 * @param handover null if the command speaks to the supervisor itself, or is not checkpointed
 */
record RankPreparation(
        String job,
        int ranks,
        RankCommand command,
        @Nullable Handover handover,
        LocalCopies copies) {
    /**
     * Prepares ranks, one after the other: they share a disk.
     *
     * @param output gets a rank and what the job's user should know of it, a line each, on any thread
     * @param goesOn false when they are not wanted any more; then those are missing that it has not come to
     * @return who gets them ends them
     */
    List<PreparedRank> prepare(RankStart start, BiConsumer<Integer, String> output, BooleanSupplier goesOn)
            throws IOException {
        List<PreparedRank> ready = new ArrayList<>();
        try {
            for (int rank : start.ranks()) {
                if (goesOn.getAsBoolean()) {
                    ready.add(prepare(start, rank, output));
                }
            }
            return ready;
        } catch (IOException | RuntimeException e) {
            ready.forEach(prepared -> prepared.end().run());
            throw e;
        }
    }

    private PreparedRank prepare(RankStart start, int rank, BiConsumer<Integer, String> output) throws IOException {
        Map<String, String> environment = environment(start, rank);
        if (handover == null) {
            return new PreparedRank(rank, command, environment, null, () -> {});
        }
        Path restored = start.isAtTheBeginning() ? null : copies.restored(rank);
        HandoverRank beside = handover.prepare(
                new HandoverRank.Rank(rank, ranks, start.control(), restored, start.restoredStep()),
                line -> output.accept(rank, line));
        environment.putAll(beside.environment());
        RankCommand own = command.with(beside.command(command.line()));
        return new PreparedRank(rank, own, environment, beside, () -> handover.end(beside));
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
}
