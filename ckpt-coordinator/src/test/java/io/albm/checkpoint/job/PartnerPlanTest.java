// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.core.node.NodeAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartnerPlanTest {
    private static final long CHECKPOINT = 7;

    /** Ranks 0 and 1 on a, 2 and 3 on b, 4 and 5 on c. */
    private static final Placement THREE_HOSTS = Placement.even(6, List.of("a", "b", "c"));

    private static final Map<Integer, LocalCopy> ALL_SAVED =
            IntStream.range(0, 6).boxed().collect(Collectors.toMap(rank -> rank, PartnerPlanTest::saved));

    private static LocalCopy saved(int rank) {
        return new LocalCopy(100 + rank, rank);
    }

    private static NodeAddress address(String host) {
        return new NodeAddress(host, 1);
    }

    /** Hosts of which each fails by itself. */
    private record Hosts(Set<String> left) implements PartnerHosts {
        @Override
        public Optional<NodeAddress> address(String host) {
            return left.contains(host) ? Optional.empty() : Optional.of(PartnerPlanTest.address(host));
        }

        @Override
        public String domain(String host) {
            return host;
        }
    }

    private static PartnerPlan plan(Placement placement, String... left) {
        return new PartnerPlan(placement, new Hosts(Set.of(left)));
    }

    private static PartnerOrder.Wanted wanted(int rank, String from) {
        return new PartnerOrder.Wanted(rank, address(from), saved(rank));
    }

    @Test
    void everyRankHasAKeeperThatIsNotItsHost() {
        PartnerPlan plan = plan(THREE_HOSTS);
        assertThat(IntStream.range(0, 6).mapToObj(plan::keeperOf))
                .containsExactly(
                        Optional.of("b"),
                        Optional.of("b"),
                        Optional.of("c"),
                        Optional.of("c"),
                        Optional.of("a"),
                        Optional.of("a"));
    }

    @Test
    void aHostIsToHaveWhatItKeepsAndNothingElse() {
        assertThat(plan(THREE_HOSTS).order("b", CHECKPOINT, ALL_SAVED))
                .isEqualTo(new PartnerOrder(CHECKPOINT, List.of(wanted(0, "a"), wanted(1, "a"))));
    }

    @Test
    void aHostThatKeepsNothingIsToldSo() {
        assertThat(plan(THREE_HOSTS).order("spare", CHECKPOINT, ALL_SAVED))
                .isEqualTo(new PartnerOrder(CHECKPOINT, List.of()));
    }

    @Test
    void whatNobodyHasSavedIsNotAskedFor() {
        assertThat(plan(THREE_HOSTS)
                        .order("b", CHECKPOINT, Map.of(1, saved(1), 2, saved(2)))
                        .copies())
                .containsExactly(wanted(1, "a"));
    }

    @Test
    void statesOfAHostThatHasLeftAreNotAskedFor() {
        PartnerPlan plan = plan(THREE_HOSTS, "a");
        assertThat(plan.order("b", CHECKPOINT, ALL_SAVED).copies()).isEmpty();
        assertThat(plan.order("c", CHECKPOINT, ALL_SAVED).copies()).containsExactly(wanted(2, "b"), wanted(3, "b"));
    }

    @Test
    void aHostByItselfHasNoPartner() {
        PartnerPlan plan = plan(Placement.even(2, List.of("a")));
        assertThat(plan.keeperOf(0)).isEmpty();
        assertThat(plan.order("a", CHECKPOINT, ALL_SAVED).copies()).isEmpty();
    }

    @Test
    void nobodyKeepsARankThatIsNowhere() {
        assertThat(plan(Placement.NONE).keeperOf(0)).isEmpty();
    }
}
