// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How the units of a stripe are spread over {@linkplain FailureDomain failure domains}: over as many as there are, and no more
 * than M of them, as many as may be lost, in one. So the loss of any domain is borne as that of M nodes is. Pure.
 *
 * <p>Both follow from one order: units go to nodes <em>in rounds</em>, each of which has one node of each domain that has any left.
 * A stripe that is not {@linkplain #widest wider than it may be} needs M rounds at most.
 */
final class DomainSpread {
    private record Placed<T>(T node, int round) {}

    private DomainSpread() {}

    /** The first node of each domain, then the second of each, and so on; those of a round in the order given. */
    static <T> List<T> inRounds(List<T> nodes, Function<? super T, FailureDomain> domains) {
        Map<FailureDomain, Integer> rounds = new HashMap<>();
        return nodes.stream()
                .map(node -> new Placed<>(node, rounds.merge(domains.apply(node), 1, Integer::sum)))
                .sorted(Comparator.comparingInt(Placed::round))
                .map(Placed::node)
                .toList();
    }

    /** Whether the nodes are of more than one domain. */
    static boolean areSeveral(Collection<RendezvousPlacement.Candidate> nodes) {
        return nodes.stream()
                        .map(RendezvousPlacement.Candidate::domain)
                        .distinct()
                        .limit(2)
                        .count()
                > 1;
    }

    /**
     * How many units a stripe may have: M for each domain; one for each node without parity or if there is one domain only, for
     * then no spreading can bear the loss of a domain.
     *
     * @param most the answer is no higher, and takes less time then
     */
    static int widest(Collection<RendezvousPlacement.Candidate> nodes, int parityUnits, int most) {
        int mostInDomain = parityUnits > 0 && areSeveral(nodes) ? parityUnits : nodes.size();
        return (int) firstOfEach(mostInDomain, nodes.stream().map(RendezvousPlacement.Candidate::domain))
                .limit(most)
                .count();
    }

    /** How many units of each stripe are more than M of their domain; none without parity, which nothing can be done about. */
    static int crowd(Segment segment, Function<NodeId, FailureDomain> domains) {
        int parityUnits = segment.geometry().parityUnits();
        List<NodeId> nodes = segment.nodes();
        return parityUnits == 0
                ? 0
                : nodes.size()
                        - (int) firstOfEach(parityUnits, nodes.stream().map(domains))
                                .count();
    }

    /** Whether a segment has more such units than it had before. */
    static boolean isMoreCrowded(Segment now, Segment before, Function<NodeId, FailureDomain> domains) {
        return crowd(now, domains) > crowd(before, domains);
    }

    /** So many of each domain, or as many as there are. */
    private static Stream<FailureDomain> firstOfEach(int most, Stream<FailureDomain> units) {
        Map<FailureDomain, Integer> seen = new HashMap<>();
        return units.filter(domain -> seen.merge(domain, 1, Integer::sum) <= most);
    }

    /** The nodes whose domains have the fewest of some units. */
    static List<RendezvousPlacement.Candidate> emptiest(
            List<RendezvousPlacement.Candidate> nodes, Stream<FailureDomain> units) {
        Map<FailureDomain, Long> counted =
                units.collect(Collectors.groupingBy(domain -> domain, Collectors.counting()));
        ToLongFunction<RendezvousPlacement.Candidate> unitsBeside = node -> counted.getOrDefault(node.domain(), 0L);
        long fewest = nodes.stream().mapToLong(unitsBeside).min().orElse(0);
        return nodes.stream()
                .filter(node -> unitsBeside.applyAsLong(node) == fewest)
                .toList();
    }

    /** The domains of more than one of some nodes. */
    static Set<FailureDomain> shared(Collection<NodeId> nodes, Function<NodeId, FailureDomain> domains) {
        Set<FailureDomain> seen = new HashSet<>();
        return nodes.stream().map(domains).filter(domain -> !seen.add(domain)).collect(Collectors.toSet());
    }
}
