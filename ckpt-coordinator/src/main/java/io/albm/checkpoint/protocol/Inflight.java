// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.time.Instant;
import java.util.Map;

/**
 * The durable record of a checkpoint that has begun and is not committed, in {@code inflight/<number>}.
 *
 * @param base the complete checkpoint whose pages this one need not store again; 0 for none. It is not collected before
 *     this record is gone, and so nothing is that it refers to
 * @param step the step that all ranks saved; 0 before all did
 * @param votes of all ranks, or empty: it is written once, when the last rank has saved
 * @param savedAt when that was, see {@link CheckpointTimes}
 * @param stallMillis see {@link CheckpointTimes}; here, so that it outlives the coordinator that measured it
 */
public record Inflight(
        long number, long base, long step, Map<Integer, LocalCopy> votes, Instant savedAt, long stallMillis) {
    public Inflight {
        votes = Map.copyOf(votes);
    }

    static Inflight begun(long number, long base) {
        return new Inflight(number, base, 0, Map.of(), Instant.EPOCH, 0);
    }

    /** Every rank has saved: a new leader carries on instead of aborting. */
    public boolean voted() {
        return !votes.isEmpty();
    }
}
