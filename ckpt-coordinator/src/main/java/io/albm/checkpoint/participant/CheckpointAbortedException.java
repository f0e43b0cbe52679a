// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.participant;

/** A checkpoint that this rank had saved was given up; the one before it is still the newest complete one. */
public final class CheckpointAbortedException extends Exception {
    private final long checkpoint;

    CheckpointAbortedException(long checkpoint) {
        super("checkpoint " + checkpoint + " was given up; the coordinator's log says why");
        this.checkpoint = checkpoint;
    }

    /** Its number. */
    public long checkpoint() {
        return checkpoint;
    }
}
