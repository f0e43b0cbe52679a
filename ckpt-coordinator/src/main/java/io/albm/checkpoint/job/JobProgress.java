// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** What a job's supervisor tells people and programs, one line each. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
    @JsonSubTypes.Type(value = JobProgress.Started.class, name = "started"),
    @JsonSubTypes.Type(value = JobProgress.Output.class, name = "output"),
    @JsonSubTypes.Type(value = JobProgress.Checkpoint.class, name = "checkpoint"),
    @JsonSubTypes.Type(value = JobProgress.RankDied.class, name = "rank-died"),
    @JsonSubTypes.Type(value = JobProgress.HostLost.class, name = "host-lost"),
    @JsonSubTypes.Type(value = JobProgress.Restored.class, name = "restored"),
    @JsonSubTypes.Type(value = JobProgress.Rollback.class, name = "rollback"),
    @JsonSubTypes.Type(value = JobProgress.Notice.class, name = "notice"),
    @JsonSubTypes.Type(value = JobProgress.Halted.class, name = "halted"),
    @JsonSubTypes.Type(value = JobProgress.Finished.class, name = "finished")
})
public sealed interface JobProgress {
    /** The line for people. */
    String line();

    /**
     * All ranks were started; {@code checkpoint} is the one that they go on from, 0 for the beginning.
     *
     * @param hosts of each rank; empty if all are children of the supervisor
     */
    record Started(String job, int ranks, int attempt, long checkpoint, List<Long> pids, List<String> hosts)
            implements JobProgress {
        @Override
        public String line() {
            String from = checkpoint == 0 ? "from the beginning" : "from checkpoint " + checkpoint;
            String where = hosts.isEmpty() ? "" : ", on " + hosts;
            return "job " + job + ": " + ranks + " ranks started " + from + ", pids " + pids + where;
        }
    }

    /** A rank wrote a line to its standard output or error. */
    record Output(int rank, String text) implements JobProgress {
        @Override
        public String line() {
            return "[" + rank + "] " + text;
        }
    }

    /** A checkpoint is complete. */
    record Checkpoint(long number, long step, long bytes, long storedBytes, long millis, int groupSize)
            implements JobProgress {
        @Override
        public String line() {
            return "checkpoint " + number + " committed: step " + step + ", " + bytes + " bytes, " + storedBytes
                    + " of them stored, in " + millis + " ms, at most " + groupSize + " ranks at once";
        }
    }

    /** A rank ended otherwise than well. */
    record RankDied(int rank, long pid, int exit) implements JobProgress {
        @Override
        public String line() {
            return "rank " + rank + " (pid " + pid + ") ended with " + exit + ": all ranks go back";
        }
    }

    /** A host is not used any more: all ranks go back if any of its ranks ran. */
    record HostLost(String host, List<Integer> ranks, String reason) implements JobProgress {
        @Override
        public String line() {
            return "host " + host + " is lost with ranks " + ranks + ": " + reason;
        }
    }

    /**
     * All ranks' states are where the ranks will read them.
     *
     * @param localBytes of their pages that were in the ranks' own local copies
     * @param partnerBytes that were in partner copies
     * @param storedBytes that were fetched from the striped store
     */
    record Restored(long checkpoint, long localBytes, long partnerBytes, long storedBytes) implements JobProgress {
        @Override
        public String line() {
            return "states of checkpoint " + checkpoint + ": " + localBytes + " bytes from local copies, "
                    + partnerBytes + " from partner copies, " + storedBytes + " from the striped store";
        }
    }

    /** All ranks run again; {@code checkpoint} is 0 if the job began anew because none was complete. */
    record Rollback(long checkpoint, long step, long millis) implements JobProgress {
        @Override
        public String line() {
            return "rollback to " + (checkpoint == 0 ? "the beginning" : "checkpoint " + checkpoint) + ", step " + step
                    + ": " + millis + " ms from the death to the restart";
        }
    }

    /** Something that an operator should know. */
    record Notice(String text) implements JobProgress {
        @Override
        public String line() {
            return text;
        }
    }

    /** Every rank ended because somebody wanted it, after this checkpoint was complete. */
    record Halted(String job, long checkpoint) implements JobProgress {
        @Override
        public String line() {
            return "job " + job + " is halted at checkpoint " + checkpoint + "; the same --name goes on from it";
        }
    }

    /** Every rank ended well, and that is recorded. */
    record Finished(String job, int checkpoints, int rollbacks, long millis) implements JobProgress {
        @Override
        public String line() {
            return "job " + job + " finished after " + millis + " ms: " + checkpoints + " checkpoints, " + rollbacks
                    + " rollbacks";
        }
    }
}
