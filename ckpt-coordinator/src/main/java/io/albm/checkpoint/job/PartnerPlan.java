// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.core.node.NodeAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Which host keeps copies of which ranks' states. Decides the same for the same placement and hosts. */
final class PartnerPlan {
    private final Placement placement;
    private final PartnerHosts hosts;
    private final Map<String, String> partners;

    /** @param placement of all ranks whose states are copied */
    PartnerPlan(Placement placement, PartnerHosts hosts) {
        this.placement = placement;
        this.hosts = hosts;
        this.partners = Partners.of(placement.hosts(), hosts::domain);
    }

    /** The host that keeps a copy of a rank's state; empty if no other host is there to keep it, or no such rank. */
    Optional<String> keeperOf(int rank) {
        return placement.hosts().stream()
                .filter(host -> placement.on(host).contains(rank))
                .findFirst()
                .map(partners::get);
    }

    /**
     * What a host is to have, and nothing else. The states of a host that has left cannot be copied any more.
     *
     * @param saved what ranks have said of their local copies; of others there is nothing to copy
     */
    PartnerOrder order(String host, long checkpoint, Map<Integer, LocalCopy> saved) {
        return new PartnerOrder(
                checkpoint,
                partners.entrySet().stream()
                        .filter(pair -> pair.getValue().equals(host))
                        .flatMap(pair -> hosts.address(pair.getKey())
                                .map(from -> wanted(placement.on(pair.getKey()), from, saved))
                                .orElseGet(Stream::empty))
                        .toList());
    }

    private static Stream<PartnerOrder.Wanted> wanted(
            List<Integer> ranks, NodeAddress from, Map<Integer, LocalCopy> saved) {
        return ranks.stream()
                .flatMap(rank -> Optional.ofNullable(saved.get(rank)).stream()
                        .map(copy -> new PartnerOrder.Wanted(rank, from, copy)));
    }
}
