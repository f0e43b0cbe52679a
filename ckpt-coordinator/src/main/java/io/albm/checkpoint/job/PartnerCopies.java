// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.core.node.NodeAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

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
    private final Map<Integer, String> keepers = new HashMap<>();
    private long savedIn;

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
        Placement placement = hosts.placement();
        Map<String, List<PartnerOrder.Wanted>> wanted = new HashMap<>();
        Partners.of(placement.hosts(), known::domain).forEach((host, partner) -> {
            placement.on(host).forEach(rank -> keepers.put(rank, partner));
            known.address(host)
                    .ifPresent(from -> wanted.computeIfAbsent(partner, _ -> new ArrayList<>())
                            .addAll(wanted(placement.on(host), from)));
        });
        for (RankHost host : hosts.all()) {
            PartnerOrder order = new PartnerOrder(checkpoint, wanted.getOrDefault(host.name(), List.of()));
            var _ = host.hold(order).thenAcceptAsync(ranks -> tellMissing(host.name(), order, ranks), loop);
        }
    }

    private List<PartnerOrder.Wanted> wanted(List<Integer> ranks, NodeAddress from) {
        return ranks.stream()
                .flatMap(rank -> Optional.ofNullable(saved.get(rank)).stream()
                        .map(copy -> new PartnerOrder.Wanted(rank, from, copy)))
                .toList();
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
        return partners.flatMap(known -> Optional.ofNullable(keepers.get(rank))
                .or(() -> keeperInLastRun(rank, known))
                .filter(keeper -> hosts.isAnswering(keeper)
                        && !keeper.equals(hosts.hostOf(rank).name()))
                .flatMap(known::address));
    }

    private Optional<String> keeperInLastRun(int rank, PartnerHosts known) {
        Placement last = hosts.lastRun();
        return Partners.of(last.hosts(), known::domain).entrySet().stream()
                .filter(pair -> last.on(pair.getKey()).contains(rank))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
