// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StripeGroupPolicyTest {
    @ParameterizedTest(name = "{0} at {1} of the bandwidth: {2}")
    @CsvSource({
        "16, 1.0, 16", "16, 2.5, 16", "16, 0.94, 8", "16, 0.5, 8", "16, 0.47, 4", "16, 0.25, 4", "16, 0.13, 2",
        "16, 0.0625, 1", "16, 0.001, 1", "16, 0, 1", "8, 0.5, 4", "8, 0.3, 2", "1, 0.1, 1", "1, 1, 1",
        "7, 0.45, 3", "7, 0.40, 1", "12, 0.5, 6", "12, 0.26, 3", "12, 0.2, 1"
    })
    void takesTheLargestHalvingStepThatTheBandwidthAllows(int initial, double ratio, int expected) {
        assertThat(new StripeGroupPolicy(initial).groupSize(new Bandwidth(1000, 1000 * ratio)))
                .isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} at {1} of the bandwidth: {2}")
    @CsvSource({"16, 0.99, 16", "16, 0.951, 16", "16, 0.949, 8", "16, 0.476, 8", "16, 0.474, 4", "2, 0.96, 2", "1, 0, 1"
    })
    void countsABandwidthWithinTheToleranceOfAStepAsEnoughForIt(int initial, double ratio, int expected) {
        assertThat(new StripeGroupPolicy(initial).groupSize(new Bandwidth(1000, 1000 * ratio)))
                .isEqualTo(expected);
    }

    @Test
    void agreesWithASearchOverAllStepsForEverySizeAndBandwidth() {
        for (int initial = 1; initial <= 600; initial++) {
            StripeGroupPolicy policy = new StripeGroupPolicy(initial);
            for (int percent = 0; percent <= 120; percent++) {
                Bandwidth bandwidth = new Bandwidth(100, percent);
                assertThat(policy.groupSize(bandwidth))
                        .as("initial %d at %d %%", initial, percent)
                        .isEqualTo(searched(initial, bandwidth.ratio()));
            }
        }
    }

    @Test
    void leavesTheOddRankToALastGroupOfItsOwn() {
        DrainPlan plan = new StripeGroupPolicy(2).plan(sizes(5), Network.UNKNOWN);
        assertThat(next(plan)).containsExactly(0, 1);
        plan.stored(0);
        assertThat(next(plan)).as("barrier").isEmpty();
        assertThat(plan.writing()).isOne();
        plan.stored(1);
        assertThat(next(plan)).containsExactly(2, 3);
        plan.stored(2);
        plan.stored(3);
        assertThat(next(plan)).containsExactly(4);
        plan.stored(4);
        assertThat(next(plan)).isEmpty();
    }

    @Test
    void aNewLeadersGroupsPassOverWhatIsStored() {
        DrainPlan plan = new StripeGroupPolicy(2).plan(sizes(6), Network.UNKNOWN);
        List.of(0, 1, 3).forEach(plan::stored);
        assertThat(next(plan)).containsExactly(2);
        plan.stored(2);
        plan.stored(4);
        assertThat(next(plan)).containsExactly(5);
    }

    @Test
    void everyRegisteredStrategyWritesEveryRankExactlyOnce() {
        for (String name : CheckpointStrategies.names()) {
            for (int nodes = 1; nodes <= 17; nodes++) {
                DrainPlan plan = CheckpointStrategies.create(name, 4)
                        .plan(sizes(nodes), Network.unmeasured(new Bandwidth(10, 6)));
                Set<Integer> stored = new TreeSet<>();
                for (List<Integer> group = next(plan); !group.isEmpty(); group = next(plan)) {
                    assertThat(group)
                            .as(name)
                            .hasSizeLessThanOrEqualTo(plan.groupSize())
                            .noneMatch(stored::contains);
                    stored.addAll(group);
                    group.forEach(plan::stored);
                }
                assertThat(stored).as(name).containsExactlyElementsOf(ranks(nodes));
            }
        }
    }

    @Test
    void coordinatedIsOneGroupAndStaggeredOneRankAtATime() {
        assertThat(CheckpointStrategies.create("coordinated", 4)
                        .plan(sizes(9), Network.UNKNOWN)
                        .groupSize())
                .isEqualTo(9);
        assertThat(CheckpointStrategies.create("staggered", 4)
                        .plan(sizes(9), Network.UNKNOWN)
                        .groupSize())
                .isOne();
        assertThat(CheckpointStrategies.create("striped", 4)
                        .plan(sizes(9), Network.unmeasured(new Bandwidth(10, 1)))
                        .groupSize())
                .isEqualTo(4);
    }

    @Test
    void anUnknownNameListsTheKnownOnes() {
        assertThatThrownBy(() -> CheckpointStrategies.create("striped2", 4))
                .hasMessage("unknown strategy \"striped2\"; one of coordinated, credit-window, multistriped, staggered,"
                        + " striped");
    }

    private static RankSizes sizes(int count) {
        return new RankSizes(7, ranks(count).stream().collect(Collectors.toMap(rank -> rank, rank -> 100L)));
    }

    private static List<Integer> next(DrainPlan plan) {
        return plan.next(Network.UNKNOWN);
    }

    private static List<Integer> ranks(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private static int searched(int initial, double ratio) {
        for (int size = initial; size > 1; size /= 2) {
            if (size <= initial * ratio / (1 - StripeGroupPolicy.TOLERANCE)) {
                return size;
            }
        }
        return 1;
    }
}
