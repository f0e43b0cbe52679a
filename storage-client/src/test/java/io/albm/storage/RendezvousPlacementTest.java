// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.albm.core.node.NodeId;
import io.albm.storage.RendezvousPlacement.Candidate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RendezvousPlacementTest {
    private static final int KEYS = 20_000;

    @Test
    void choosesDistinctNodesWhateverTheirOrder() {
        List<Candidate> nodes = nodes(9);
        List<Candidate> shuffled = new ArrayList<>(nodes);
        Collections.shuffle(shuffled, new Random(1));
        for (Generation key : keys(100)) {
            List<NodeId> chosen = RendezvousPlacement.choose(key, nodes, 5);
            assertThat(chosen).hasSize(5).doesNotHaveDuplicates();
            assertThat(RendezvousPlacement.choose(key, shuffled, 5)).isEqualTo(chosen);
        }
    }

    @Test
    void fewerNodesAreTheBeginningOfAllInOrder() {
        List<Candidate> nodes =
                IntStream.range(0, 40).mapToObj(i -> node(i, 1 + i % 3)).toList();
        for (Generation key : keys(200)) {
            List<NodeId> all = RendezvousPlacement.choose(key, nodes, nodes.size());
            assertThat(all).hasSameSizeAs(nodes).doesNotHaveDuplicates();
            for (int count : new int[] {0, 1, 6, 39, 50}) {
                assertThat(RendezvousPlacement.choose(key, nodes, count))
                        .isEqualTo(all.subList(0, Math.min(count, all.size())));
            }
        }
    }

    @Test
    void movesOnlyWhatAJoiningNodeWins() {
        List<Candidate> before = nodes(9);
        List<Candidate> after =
                Stream.concat(before.stream(), Stream.of(node(9, 1))).toList();
        int moved = 0;
        for (Generation key : keys(KEYS)) {
            NodeId old = RendezvousPlacement.choose(key, before, 1).getFirst();
            NodeId now = RendezvousPlacement.choose(key, after, 1).getFirst();
            assertThat(now).isIn(old, new NodeId("n-9"));
            moved += now.equals(old) ? 0 : 1;
        }
        assertThat(moved / (double) KEYS).isCloseTo(0.1, within(0.01));
    }

    @Test
    void sharesByWeight() {
        List<Candidate> nodes = List.of(node(0, 1), node(1, 2), node(2, 5));
        Map<NodeId, Integer> won = new HashMap<>();
        keys(KEYS)
                .forEach(key ->
                        won.merge(RendezvousPlacement.choose(key, nodes, 1).getFirst(), 1, Integer::sum));
        assertThat(won.getOrDefault(new NodeId("n-0"), 0) / (double) KEYS).isCloseTo(1 / 8.0, within(0.01));
        assertThat(won.getOrDefault(new NodeId("n-2"), 0) / (double) KEYS).isCloseTo(5 / 8.0, within(0.015));
    }

    @Test
    void choosesWhatItAlwaysHasWhereEachNodeIsADomain() {
        List<Candidate> nodes =
                IntStream.range(0, 1000).mapToObj(i -> node(i, 1 + i % 3)).toList();
        List<String> choices = IntStream.range(0, 4)
                .mapToObj(i -> RendezvousPlacement.choose(new Generation(i, 7L * i + 1), nodes, 6)
                        .toString())
                .toList();
        assertThat(choices)
                .containsExactly(
                        "[n-581, n-839, n-855, n-689, n-203, n-653]",
                        "[n-683, n-148, n-355, n-655, n-825, n-644]",
                        "[n-526, n-872, n-694, n-282, n-182, n-346]",
                        "[n-694, n-964, n-268, n-142, n-614, n-383]");
    }

    @Test
    void choosesTheBestOfEachDomainFirst() {
        Random random = new Random(3);
        for (Generation key : keys(2000)) {
            int domains = 1 + random.nextInt(8);
            List<Candidate> nodes = IntStream.range(0, 1 + random.nextInt(30))
                    .mapToObj(i -> node(i, 1 + i % 3, "d-" + random.nextInt(domains)))
                    .toList();
            int count = random.nextInt(nodes.size() + 2);
            assertThat(RendezvousPlacement.choose(key, nodes, count))
                    .isEqualTo(inRounds(key, nodes).stream().limit(count).toList());
        }
    }

    /** Round after round: of each domain that has a node left its best one, and these by score. */
    private static List<NodeId> inRounds(Generation key, List<Candidate> nodes) {
        Map<NodeId, FailureDomain> domains =
                nodes.stream().collect(Collectors.toMap(Candidate::node, Candidate::domain));
        List<NodeId> left = new ArrayList<>(RendezvousPlacement.ranked(key, nodes));
        List<NodeId> inRounds = new ArrayList<>();
        while (!left.isEmpty()) {
            Set<FailureDomain> ofThisRound = new HashSet<>();
            List<NodeId> round = left.stream()
                    .filter(node -> ofThisRound.add(Objects.requireNonNull(domains.get(node))))
                    .toList();
            inRounds.addAll(round);
            left.removeAll(round);
        }
        return inRounds;
    }

    @Test
    void sharesByTheWeightOfDomainsAndThenOfNodes() {
        List<Candidate> nodes =
                List.of(node(0, 1, "a"), node(1, 2, "a"), node(2, 4, "b"), node(3, 1, "c"), node(4, 2, "c"));
        Map<NodeId, Integer> won = new HashMap<>();
        keys(KEYS)
                .forEach(key ->
                        won.merge(RendezvousPlacement.choose(key, nodes, 2).getFirst(), 1, Integer::sum));
        for (Candidate node : nodes) {
            assertThat(won.getOrDefault(node.node(), 0) / (double) KEYS)
                    .as(node.toString())
                    .isCloseTo(node.weight() / 10, within(0.012));
        }
    }

    private static List<Generation> keys(int count) {
        Random random = new Random(42);
        return Stream.generate(() -> Generation.random(random)).limit(count).toList();
    }

    private static List<Candidate> nodes(int count) {
        return IntStream.range(0, count).mapToObj(i -> node(i, 1)).toList();
    }

    private static Candidate node(int number, double weight) {
        return node(number, weight, "n-" + number);
    }

    private static Candidate node(int number, double weight, String domain) {
        return new Candidate(new NodeId("n-" + number), weight, new FailureDomain(domain));
    }
}
