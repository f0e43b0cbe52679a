// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which ranks run on which host.
 *
 * @param ranks of each host, ascending
 */
public record Placement(SortedMap<String, List<Integer>> ranks) {
    /** Nothing is placed yet. */
    public static final Placement NONE = new Placement(new TreeMap<>());

    public Placement {
        SortedMap<String, List<Integer>> copy = new TreeMap<>();
        ranks.forEach((host, here) -> copy.put(host, here.stream().sorted().toList()));
        ranks = Collections.unmodifiableSortedMap(copy);
    }

    /** Neighbours together, and as many on each host as on the others, or one more. */
    static Placement even(int ranks, List<String> hosts) {
        SortedMap<String, List<Integer>> placed = new TreeMap<>();
        for (int rank = 0; rank < ranks; rank++) {
            String host = hosts.get((int) ((long) rank * hosts.size() / ranks));
            placed.computeIfAbsent(host, _ -> new ArrayList<>()).add(rank);
        }
        return new Placement(placed);
    }

    public SortedSet<String> hosts() {
        return new TreeSet<>(ranks.keySet());
    }

    /** How many ranks are placed. */
    public int size() {
        return ranks.values().stream().mapToInt(List::size).sum();
    }

    /** Where a rank runs. */
    public String hostOf(int rank) {
        return ranks.entrySet().stream()
                .filter(entry -> entry.getValue().contains(rank))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("rank " + rank + " has no host"));
    }

    /** The ranks of a host; none if it has none. */
    public List<Integer> on(String host) {
        return ranks.getOrDefault(host, List.of());
    }

    /** All ranks of a host go to another, which has none. */
    Placement replaced(String lost, String spare) {
        SortedMap<String, List<Integer>> moved = new TreeMap<>(ranks);
        moved.put(spare, on(lost));
        moved.remove(lost);
        return new Placement(moved);
    }

    /** The ranks of a host go to others, each to the one that has the fewest then. */
    Placement spread(String lost, Collection<String> others) {
        SortedMap<String, List<Integer>> moved = new TreeMap<>();
        others.stream().sorted().forEach(host -> moved.put(host, new ArrayList<>(on(host))));
        ranks.forEach((host, here) -> moved.computeIfAbsent(host, _ -> new ArrayList<>(here)));
        moved.remove(lost);
        for (int rank : on(lost)) {
            others.stream()
                    .sorted()
                    .min((a, b) -> Integer.compare(size(moved, a), size(moved, b)))
                    .ifPresent(least ->
                            moved.getOrDefault(least, new ArrayList<>()).add(rank));
        }
        return new Placement(moved);
    }

    private static int size(SortedMap<String, List<Integer>> placed, String host) {
        return placed.getOrDefault(host, List.of()).size();
    }
}
