// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.checkpoint.strategy.DrainPlan;
import io.albm.checkpoint.strategy.Network;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Who begins to write next, by a plan: what the coordinator asks of it, without its protocol. Not thread-safe. */
final class DrainTurns {
    private final DrainPlan plan;
    private final int ranks;
    private final Set<Integer> begun = new HashSet<>();
    private final Set<Integer> stored = new HashSet<>();

    DrainTurns(DrainPlan plan, int ranks) {
        this.plan = plan;
        this.ranks = ranks;
    }

    /** Ranks that begin now. */
    List<Integer> next(Network network) {
        List<Integer> next = plan.next(network);
        begun.addAll(next);
        return next;
    }

    /** A rank's state is durable. */
    void stored(int rank) {
        if (!begun.contains(rank) || !stored.add(rank)) {
            throw new IllegalStateException("rank " + rank + " has not begun, or was stored before");
        }
        plan.stored(rank);
    }

    /** The most ranks that wrote at once. */
    int widest() {
        return plan.groupSize();
    }

    boolean isDone() {
        return stored.size() == ranks;
    }
}
