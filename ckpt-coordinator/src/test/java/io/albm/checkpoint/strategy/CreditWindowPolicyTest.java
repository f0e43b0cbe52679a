// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CreditWindowPolicyTest {
    private static final double LINK = 100;

    @ParameterizedTest(name = "{0} ranks, rates of {1} over links of 100, port {2}: {3}")
    @CsvSource({
        "16, 90, 100, 2", "16, 100, 100, 2", "16, 101, 100, 3", "16, 1440, 100, 16", "16, 1300, 100, 14",
        "16, 5, 100, 2", "16, 5, 400, 4", "3, 5, 400, 3", "1, 90, 100, 1", "10000, 90, 100, 2"
    })
    void isAsWideAsItTakesToUseTheRates(int ranks, double rates, double port, int window) {
        assertThat(CreditWindowPolicy.window(ranks, network(Politeness.POLITE, port, rates)))
                .isEqualTo(window);
    }

    @Test
    void allRanksWriteAtOnceWhereNobodyYields() {
        assertThat(CreditWindowPolicy.window(16, network(Politeness.FAST, 100, 90)))
                .isEqualTo(16);
    }

    @ParameterizedTest
    @EnumSource(Politeness.class)
    void asLongAsARankWaitsAWindowOfRanksWritesTheLargestFirstAndAllOfThemInTheEnd(Politeness politeness) {
        for (long seed = 0; seed < 400; seed++) {
            drain(new Random(seed), politeness, "seed " + seed);
        }
    }

    private static void drain(Random random, Politeness politeness, String seed) {
        Map<Integer, Long> bytes = new HashMap<>();
        int ranks = 1 + random.nextInt(30);
        for (int rank = 0; rank < ranks; rank++) {
            bytes.put(rank, 1L + random.nextInt(6));
        }
        double port = LINK * (1 + random.nextInt(8));
        Network network = network(politeness, port, port);
        DrainPlan plan = new CreditWindowPolicy().plan(new RankSizes(1 + random.nextInt(50), bytes), network);
        Set<Integer> writing = new TreeSet<>();
        Set<Integer> begun = new HashSet<>();
        for (int asked = 0; begun.size() < ranks || !writing.isEmpty(); asked++) {
            assertThat(asked).as(seed).isLessThan(20 * ranks);
            network = network(politeness, port, random.nextInt(2000));
            List<Integer> next = plan.next(network);
            assertThat(next).as(seed).allMatch(begun::add);
            writing.addAll(next);
            int window = CreditWindowPolicy.window(ranks, network);
            assertThat(window).as(seed).isBetween(Math.min(ranks, (int) (port / LINK)), ranks);
            assertThat(plan.writing()).as(seed).isEqualTo(writing.size());
            assertThat(writing).as(seed).hasSizeLessThanOrEqualTo(Math.max(window, writing.size() - next.size()));
            if (begun.size() < ranks) {
                assertThat(writing).as(seed).hasSizeGreaterThanOrEqualTo(window);
                assertThat(Collections.min(sizes(bytes, begun)))
                        .as(seed)
                        .isGreaterThanOrEqualTo(Collections.max(sizes(bytes, waiting(bytes, begun))));
            }
            for (Integer writer : List.copyOf(writing)) {
                if (random.nextInt(3) == 0) {
                    plan.stored(writer);
                    writing.remove(writer);
                }
            }
        }
        assertThat(plan.next(network)).as(seed).isEmpty();
        assertThat(plan.groupSize()).as(seed).isBetween(1, ranks);
    }

    @Test
    void equalRanksBeginInAnOrderThatTheNextCheckpointRotates() {
        assertThat(first(4)).isEqualTo(0);
        assertThat(first(5)).isEqualTo(1);
        assertThat(first(6)).isEqualTo(2);
    }

    private static int first(long checkpoint) {
        RankSizes sizes = new RankSizes(checkpoint, Map.of(0, 8L, 1, 8L, 2, 8L, 3, 8L));
        Network network = network(Politeness.POLITE, LINK, 1);
        return new CreditWindowPolicy().plan(sizes, network).next(network).getFirst();
    }

    @Test
    void aNewLeaderNeedNotKnowWhoHadBegun() {
        RankSizes sizes = new RankSizes(9, Map.of(0, 3L, 1, 9L, 2, 5L, 3, 7L));
        Network network = network(Politeness.POLITE, LINK, 90);
        DrainPlan plan = new CreditWindowPolicy().plan(sizes, network);
        plan.stored(1);
        plan.stored(3);
        assertThat(plan.next(network)).containsExactly(2, 0);
    }

    @Test
    void saysWhyTheWindowIsThatWide() {
        Network network = network(Politeness.POLITE, 400e6, 360e6, 125e6);
        assertThat(new CreditWindowPolicy()
                        .plan(new RankSizes(1, Map.of(0, 1L)), network)
                        .why())
                .isEqualTo(
                        "window 1: rates of 360.00 MB/s over a node's link of 125.00 MB/s, and one more that prepares;"
                                + " at least 1, at most 1 ranks");
    }

    private static Set<Integer> waiting(Map<Integer, Long> bytes, Set<Integer> begun) {
        Set<Integer> waiting = new HashSet<>(bytes.keySet());
        waiting.removeAll(begun);
        return waiting;
    }

    private static List<Long> sizes(Map<Integer, Long> bytes, Set<Integer> ranks) {
        return ranks.stream().map(bytes::get).toList();
    }

    private static Network network(Politeness politeness, double port, double rates) {
        return network(politeness, port, rates, LINK);
    }

    private static Network network(Politeness politeness, double port, double rates, double link) {
        return new Network(Bandwidth.UNCHANGED, new PaceSettings(port, link, 1, politeness), List.of(), rates, 0);
    }
}
