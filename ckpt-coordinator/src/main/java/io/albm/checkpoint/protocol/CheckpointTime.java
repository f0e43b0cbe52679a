// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

/**
 * How much of a job's time goes to its checkpoints, since its coordinator began to lead it. Source: P3, Ratio_Checkpoint =
 * Total_Checkpoint_Time / Total_RunTime. Not thread-safe; times in nanoseconds.
 */
final class CheckpointTime {
    private final long ledSince;
    private long stalledNanos;
    private long inFlightNanos;

    CheckpointTime(long now) {
        ledSince = now;
    }

    /** The ranks stood still for so long. */
    void stalled(long nanos) {
        stalledNanos += nanos;
    }

    /** A checkpoint was in flight for so long. */
    void inFlight(long nanos) {
        inFlightNanos += nanos;
    }

    double ratioCheckpoint(long now) {
        return ratio(stalledNanos, now);
    }

    double ratioInFlight(long now) {
        return ratio(inFlightNanos, now);
    }

    private double ratio(long nanos, long now) {
        return nanos / (double) Math.max(1, now - ledSince);
    }
}
