// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.checkpoint.strategy.Network;
import java.time.Instant;

/** What happens to the coordinator's state machine. */
public sealed interface Event {
    /**
     * Time passed.
     *
     * @param network what it is like now
     * @param wallClock for {@link CheckpointTimes#savedAt} alone
     */
    record Tick(Network network, Instant wallClock) implements Event {}

    /** Somebody asks for a checkpoint now. */
    record Triggered() implements Event {}

    /** Somebody wants the job to be halted after one more checkpoint, or, if not, no longer. */
    record Halting(boolean wanted) implements Event {}

    /** The supervisor answered this command. */
    record Answered(Command command, Answer answer) implements Event {}

    /** A step was done. */
    record Done(Action.Step step) implements Event {}

    /** Answers {@link Action.ReadState}. */
    record Read(DurableState state) implements Event {}

    /** Answers {@link Action.Publish}. */
    record Published(Action.Publish step, String path, String sha256) implements Event {}

    /** The step failed, or nobody knows whether it did: the state machine reads before it decides. */
    record NotDone(Action.Step step, String reason) implements Event {}

    /** What the supervisor stored is not what it said: this checkpoint must never commit. */
    record Rejected(Action.Publish step, String reason) implements Event {}
}
