// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.checkpoint.strategy.DrainPlan;

/**
 * Where the coordinator is with a job. {@code IDLE → PREPARE → SNAPSHOT → LOCAL_DONE → DRAIN → VERIFY → COMMIT → GC},
 * and {@code ABORT} from any phase before {@code COMMIT}.
 */
public sealed interface Phase {
    /** Reads what is durable; begins so, and comes back here whenever the outcome of a step is not known. */
    record Recover(Phase before) implements Phase {}

    /** Nothing is in flight; the next checkpoint does not begin before {@code notBefore}, in nanoseconds. */
    record Idle(long notBefore) implements Phase {}

    /** The number is being taken. */
    record Open(long number, long base, long since) implements Phase {}

    /** Ranks say which step they have begun, and wait at the next safe point. */
    record Prepare(long number, long since) implements Phase {}

    /** Ranks go on to the common step and save on their own nodes. */
    record Snapshot(long number, long step, boolean last, long since) implements Phase {}

    /** Every rank has saved and runs on; the votes are being made durable. */
    record LocalDone(Inflight inflight, long since) implements Phase {}

    /**
     * Local copies go to stable storage as the plan says.
     *
     * @param movedAt when it was heard last that there was progress; at first when it began
     * @param progress the most bytes that were heard of
     */
    record Drain(Inflight inflight, int version, DrainPlan plan, long since, long movedAt, long progress)
            implements Phase {
        /** More ranks' states are stored. */
        Drain stored(long now) {
            return new Drain(inflight, version, plan, since, now, progress);
        }

        /** Heard of some progress, perhaps more than before. */
        Drain heard(long bytes, long now) {
            return bytes > progress ? new Drain(inflight, version, plan, since, now, bytes) : this;
        }
    }

    /** Indexes and packs are checked where they lie, and the manifest is written. */
    record Verify(Inflight inflight, int version, Manifest manifest, long drainMillis, long since) implements Phase {}

    /** The transaction is on its way. */
    record Commit(Committed entry, int version) implements Phase {}

    /** Old checkpoints go, and files that belong to none. */
    record Collect() implements Phase {}

    /** The in-flight record is being removed. */
    record Abort(long number, String reason) implements Phase {}

    /** Another coordinator leads. */
    record Deposed(long epoch) implements Phase {}

    /** The job has ended well. */
    record Finished() implements Phase {}

    /** Whether a checkpoint has begun and has not ended, as far as is known here. */
    default boolean isInFlight() {
        return switch (this) {
            case Open open -> true;
            case Prepare prepare -> true;
            case Snapshot snapshot -> true;
            case LocalDone done -> true;
            case Drain drain -> true;
            case Verify verify -> true;
            case Commit commit -> true;
            case Recover recover -> recover.before().isInFlight();
            case Idle idle -> false;
            case Collect collect -> false;
            case Abort abort -> false;
            case Deposed deposed -> false;
            case Finished finished -> false;
        };
    }
}
