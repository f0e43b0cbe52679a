// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.Election;
import io.albm.core.cluster.Subscription;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A node's standing for election to lead the file table. Whoever was elected and cannot lead leaves it to another node, and
 * stands again later, with a memory made anew from the log. Thread-safe.
 */
final class TableCandidacy {
    /** How long one that cannot lead shows why, and then how long it leaves it to others. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Cluster home;
    private final NodeId self;
    private final TableLeader leader;
    private final Delay delay;
    private Subscription elected = () -> {};
    private @Nullable Election election;
    private boolean over;

    TableCandidacy(Cluster home, NodeId self, TableLeader leader, Delay delay) {
        this.home = home;
        this.self = self;
        this.leader = leader;
        this.delay = delay;
    }

    synchronized void stand() {
        if (!over && election == null) {
            election = home.elect(Role.STORAGE_NODE, self);
            elected = election.leadership().onChange(leader::lead);
        }
    }

    /** The leader, elected as it is, cannot lead. */
    void failed() {
        delay.after(PAUSE, this::leaveToOthers);
    }

    private synchronized void leaveToOthers() {
        if (!over && leader.status().trouble() != null) {
            elected.close();
            leader.close();
            resign();
            delay.after(PAUSE, this::stand);
        }
    }

    /** The leader hears of no election any more. To be followed by {@link #resign}, once it answers nothing. */
    synchronized void end() {
        over = true;
        elected.close();
    }

    /** Others may lead. */
    synchronized void resign() {
        if (election != null) {
            election.close();
            election = null;
        }
    }
}
