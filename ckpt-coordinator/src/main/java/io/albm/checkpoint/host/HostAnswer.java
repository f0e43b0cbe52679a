// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.albm.checkpoint.job.RankExit;
import io.albm.checkpoint.strategy.TcpSegments;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a host says to every command. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = HostAnswer.Fenced.class, name = "fenced"),
    @JsonSubTypes.Type(value = HostAnswer.Report.class, name = "report")
})
sealed interface HostAnswer {
    /** A supervisor that registered later runs the job; nothing was done. */
    record Fenced(long run) implements HostAnswer {}

    /**
     * All that is so.
     *
     * @param instance of this host's process
     * @param said when this is said, by the instance's own clock, in nanoseconds; the next command gives it back
     * @param directory of the job on this host
     * @param cleared what earlier runs left is dead; nothing is started before
     * @param leftOvers how many ranks of earlier runs were killed
     * @param started the attempt that was started last in this run; 0 for none
     * @param running ranks of it may be alive; false only when all were seen dead after they were to be killed
     * @param pids of its ranks
     * @param exits of those that ended by themselves
     * @param failure why its ranks could not be started
     * @param results of the command's tasks that are done
     * @param firstLine the number of the first line of output, counted from the instance's first, with those that were dropped
     * @param output lines, oldest first
     * @param drainProgress see {@link io.albm.checkpoint.job.RankHost#drainProgress}
     */
    record Report(
            String instance,
            long said,
            String directory,
            boolean cleared,
            int leftOvers,
            int started,
            boolean running,
            Map<Integer, Long> pids,
            List<RankExit> exits,
            @Nullable String failure,
            Map<Long, TaskResult> results,
            long firstLine,
            List<OutputLine> output,
            TcpSegments segments,
            long drainProgress)
            implements HostAnswer {
        public Report {
            pids = Map.copyOf(pids);
            exits = List.copyOf(exits);
            results = Map.copyOf(results);
            output = List.copyOf(output);
        }
    }

    /** A line that a rank printed. */
    record OutputLine(int rank, String text) {}
}
