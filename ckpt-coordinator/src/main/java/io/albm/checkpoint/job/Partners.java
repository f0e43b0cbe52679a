// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Which host of a job keeps copies of another one's states. Decides the same for the same hosts. */
final class Partners {
    private Partners() {}

    /**
     * Gives every host a partner: one of another failure domain as far as there is one; of these, one that is the partner of
     * the fewest; of these, the next in the ring of names.
     *
     * @param domain of a host: what it fails with
     * @return the partner of each host, another host; empty if there are fewer than two
     */
    static SortedMap<String, String> of(SortedSet<String> hosts, Function<String, String> domain) {
        SortedMap<String, String> partners = new TreeMap<>();
        List<String> ring = List.copyOf(hosts);
        Map<String, Integer> kept = new HashMap<>();
        for (int at = 0; at < ring.size(); at++) {
            String host = ring.get(at);
            int next = at + 1;
            IntStream.range(0, ring.size() - 1)
                    .mapToObj(step -> ring.get((next + step) % ring.size()))
                    .min(Comparator.<String, Boolean>comparing(
                                    other -> domain.apply(other).equals(domain.apply(host)))
                            .thenComparing(other -> kept.getOrDefault(other, 0)))
                    .ifPresent(partner -> {
                        partners.put(host, partner);
                        kept.merge(partner, 1, Integer::sum);
                    });
        }
        return partners;
    }
}
