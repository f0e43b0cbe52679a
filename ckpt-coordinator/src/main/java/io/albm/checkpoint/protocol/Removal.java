// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.Optional;
import java.util.SortedSet;

/** Whether an operator may remove one complete checkpoint: never the last one that a restart could go on from. */
public final class Removal {
    private Removal() {}

    /**
     * What stands against it.
     *
     * @param force remove it though it is pinned, or the newest
     * @return for people; empty if it may go
     */
    public static Optional<String> objection(long number, DurableState state, boolean force) {
        SortedSet<Long> usable = state.usable();
        if (!state.committed().contains(number)) {
            return Optional.of("there is no complete checkpoint " + number);
        }
        if (usable.size() == 1 && usable.contains(number)) {
            return Optional.of("checkpoint " + number + " is the only one that a restart could go on from");
        }
        if (state.inflight().stream().anyMatch(begun -> begun.base() == number)) {
            return Optional.of("checkpoint " + number
                    + " has pages that the one in flight does not store again; try again" + " when that has ended");
        }
        if (!force && state.marks().pinned().contains(number)) {
            return Optional.of("checkpoint " + number + " is pinned; unpin it first, or add --force");
        }
        if (!force && !usable.isEmpty() && usable.last() == number) {
            return Optional.of("checkpoint " + number + " is the newest, from which a restart goes on; add --force"
                    + " to fall back to an older one");
        }
        return Optional.empty();
    }
}
