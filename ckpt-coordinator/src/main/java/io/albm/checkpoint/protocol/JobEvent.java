// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

/** A change that an operator wants to see. */
public sealed interface JobEvent {
    record CheckpointBegun(long number) implements JobEvent {}

    /** A new leader carries on with a checkpoint whose votes were complete. */
    record CheckpointResumed(long number) implements JobEvent {}

    /** Every rank has saved on its own node, {@code pausedMillis} after the checkpoint began, and runs on. */
    record CheckpointSaved(long number, long step, long pausedMillis) implements JobEvent {}

    record CheckpointCommitted(Committed entry) implements JobEvent {}

    record CheckpointAborted(long number, String reason) implements JobEvent {}

    /** A checkpoint that was drained has ended, and this is why it went as it did. */
    record CheckpointExplained(DrainRecord record) implements JobEvent {}

    /** What was known of a drain could not be kept; the checkpoint itself is as it is. */
    record ExplanationLost(long number, String reason) implements JobEvent {}
}
