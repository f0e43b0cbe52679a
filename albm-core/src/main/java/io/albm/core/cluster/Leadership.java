// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cluster;

import io.albm.core.node.Role;

/** Whether this process leads its role. Exactly one process commits under an epoch. */
public sealed interface Leadership {
    /** Another process leads, or nobody does. */
    record Follower() implements Leadership {}

    /**
     * This process leads since the epoch began. It may be deposed without knowing it yet: every decision must carry
     * {@link #fence} in its transaction, and every request to a node the epoch.
     *
     * @param epoch grows by at least one with each new leader, from 1
     */
    record Leader(long epoch) implements Leadership {
        /** Makes a transaction fail with {@link CoordinationException.VersionConflict} once another leader has taken over. */
        public Operation.Check fence(Role role) {
            return new Operation.Check(epochPath(role), Math.toIntExact(epoch));
        }
    }

    /** The node whose version is the epoch of the role's leader. */
    static String epochPath(Role role) {
        return "/leaders/" + role.id() + "/epoch";
    }
}
