// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.Set;

/** What the coordinator's state machine wants done. The shell does it and answers with an {@link Event}. */
public sealed interface Action {
    /** Sends to the supervisor; answered by {@link Event.Answered}, or never. */
    record Tell(Command command) implements Action {}

    /** A step whose end the state machine waits for: {@link Event.Done} or {@link Event.NotDone} with this very value. */
    sealed interface Step extends Action {}

    /** Reads the job's durable state; answered by {@link Event.Read}. */
    record ReadState() implements Step {}

    /**
     * One transaction: check the epoch and that the base is complete, take the number, create {@code inflight/number}.
     *
     * @param base see {@link Inflight}
     */
    record Open(long number, long base, int nextVersion) implements Step {}

    /** One transaction: check the epoch, write the votes of all ranks. */
    record RecordVotes(Inflight inflight, int version) implements Step {}

    /** Checks every index and pack in the striped store, then writes the manifest; answered by {@link Event.Published}. */
    record Publish(Manifest manifest) implements Step {}

    /** The one transaction that commits: check the epoch, create committed, set latest, delete inflight. */
    record Commit(Committed entry, int inflightVersion, int latestVersion) implements Step {}

    /**
     * One transaction: check the epoch, delete {@code inflight/number}, say why. What has no record can never commit, so its
     * files are nobody's then.
     */
    record Drop(long number, int version, String reason) implements Step {}

    /**
     * Removes old checkpoints, unless the newest turns out not to be whole or the marks have changed, and files that
     * belong to none, whether the marks have changed or not.
     */
    record Collect(Committed newest, Set<Long> victims, int marksVersion) implements Step {}

    /** Removes files that belong to no checkpoint. */
    record Sweep() implements Step {}

    /** Keeps why a checkpoint was stored as it was. Nothing waits for it, and it may be lost with its coordinator. */
    record Explain(DrainRecord record) implements Action {}

    /** For the log and the metrics. */
    record Announce(JobEvent event) implements Action {}

    /** Another coordinator leads: this state machine is at its end. */
    record StepDown(long epoch) implements Action {}
}
