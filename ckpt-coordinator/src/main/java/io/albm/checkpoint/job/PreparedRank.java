// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.handover.HandoverRank;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A rank for which all is ready.
 *
 * @param beside what takes its states; null if it speaks to the supervisor itself, or is not checkpointed
 * @param end done once: when its process has ended, or when it is known that none will be started
 */
record PreparedRank(
        int rank,
        RankCommand command,
        Map<String, String> environment,
        @Nullable HandoverRank beside,
        Runnable end) {
    PreparedRank {
        environment = Map.copyOf(environment);
    }

    /** Starts its process, for which the parameters are as in {@link RankProcess#start}; without one this is still to be ended. */
    RankProcess start(WatchScript watch, long until, Consumer<String> output) throws IOException {
        String mark = UUID.randomUUID().toString();
        RankProcess started = RankProcess.start(rank, command, environment, mark, watch, until, output);
        if (beside != null) {
            Map<String, String> all = new HashMap<>(environment);
            all.put(RankFamily.MARK, mark);
            beside.begin(started.handle(), all, Path.of(command.directory()));
        }
        var _ = started.exit().thenRunAsync(end, Thread.ofVirtual().name("rank-end-" + rank)::start);
        return started;
    }
}
