// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.core.node.NodeAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Has the states of a job's complete checkpoints copied from each host to its partner, and knows which host may have a copy.
 * That is a hint, which a restart checks: of a run before it knows only where ranks were.
 *
 * <p>A checkpoint is copied when it is complete, so that no copying takes a share of the link from its drain, and none is
 * for a checkpoint that is given up. For one thread, the supervisor's loop.
 */
final class PartnerCopies {
    private final Optional<PartnerHosts> partners;
    private final JobHosts hosts;
    private final Executor loop;
    private final Consumer<String> notices;
    private final Map<Integer, LocalCopy> saved = new HashMap<>();
    private long savedIn;
    private @Nullable PartnerPlan plan;

    /** @param partners empty if states are not copied */
    PartnerCopies(Optional<PartnerHosts> partners, JobHosts hosts, Executor loop, Consumer<String> notices) {
        this.partners = partners;
        this.hosts = hosts;
        this.loop = loop;
        this.notices = notices;
    }

    /** A rank has said this of its local copy; of a checkpoint before the newest it is of no more use. */
    void saved(long checkpoint, int rank, LocalCopy copy) {
        if (checkpoint > savedIn) {
            saved.clear();
            savedIn = checkpoint;
        }
        if (checkpoint == savedIn) {
            saved.put(rank, copy);
        }
    }

    /** What was saved is complete. */
    void committed(long checkpoint) {
        if (checkpoint == savedIn) {
            partners.ifPresent(known -> copy(checkpoint, known));
        }
    }

    private void copy(long checkpoint, PartnerHosts known) {
        PartnerPlan now = new PartnerPlan(hosts.placement(), known);
        plan = now;
        for (RankHost host : hosts.all()) {
            PartnerOrder order = now.order(host.name(), checkpoint, saved);
            var _ = host.hold(order).thenAcceptAsync(ranks -> tellMissing(host.name(), order, ranks), loop);
        }
    }

    private void tellMissing(String host, PartnerOrder order, Set<Integer> held) {
        List<Integer> missing = order.copies().stream()
                .map(PartnerOrder.Wanted::rank)
                .filter(rank -> !held.contains(rank))
                .toList();
        if (!missing.isEmpty()) {
            notices.accept("host " + host + " has no copies of ranks " + missing + " of checkpoint "
                    + order.checkpoint() + "; its log says why");
        }
    }

    /** Another host that may have a copy of a rank's state. */
    Optional<NodeAddress> keeperOf(int rank) {
        return partners.flatMap(known -> plan(known)
                .keeperOf(rank)
                .filter(keeper -> hosts.isAnswering(keeper)
                        && !keeper.equals(hosts.hostOf(rank).name()))
                .flatMap(known::address));
    }

    /** Of the newest checkpoint of this run that is complete; before there is one, of where ranks were in the last run. */
    private PartnerPlan plan(PartnerHosts known) {
        return plan == null ? new PartnerPlan(hosts.lastRun(), known) : plan;
    }
}
