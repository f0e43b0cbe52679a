// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterSimulationTest {
    private static final double YEAR = ClusterModel.YEAR_HOURS;
    /** One in 16 000 true estimates is farther off. */
    private static final double STANDARD_ERRORS = 4;

    @ParameterizedTest(name = "{0}+{1}, {2} segments on {3} nodes, MTBF {4} h, {5}")
    @CsvSource({
        "4, 0, 1, 4, 50000, IN_PLACE",
        "1, 1, 1, 2, 50000, IN_PLACE",
        "4, 1, 1, 5, 1000000, IN_PLACE",
        "4, 2, 1, 6, 20000, IN_PLACE",
        "4, 2, 1, 6, 1000000, IN_PLACE",
        "4, 2, 1, 6, 20000, MANY_TAKERS",
        "4, 1, 3, 8, 20000, MANY_TAKERS",
        "1, 2, 9, 8, 2000, IN_PLACE",
        "4, 2, 3, 8, 5000, IN_PLACE",
        "4, 2, 3, 8, 5000, MANY_TAKERS",
        "1, 2, 9, 8, 200, MANY_TAKERS"
    })
    void agreesWithTheMarkovChainHoweverRareLossesAre(
            int dataUnits, int parityUnits, int segments, int nodes, double mtbfHours, RebuildMode mode) {
        Layout layout = Layout.striped(dataUnits, parityUnits);
        Scenario scenario = new Scenario(Clusters.of(nodes, mtbfHours, 12, 0), layout, mode, TransferTimes.EXPONENTIAL);
        LossRule rule = new CriticalSegments(Clusters.segments(segments, nodes, layout.width(), 3), nodes, layout);
        double exact = new ExactChain(scenario, rule).loss(YEAR);

        Estimate estimate = loss(scenario, rule, FailureBias.towardsLoss(scenario, YEAR), 20_000);

        assertThat(estimate.mean()).isCloseTo(exact, within(STANDARD_ERRORS * estimate.standardError() + 1e-9 * exact));
        assertThat(estimate.standardError()).isLessThan(0.05 * exact);
    }

    @Test
    void aSingleSegmentsLossesAreThoseOfTheKnownMeanTimeToDataLoss() {
        double mtbf = 1_000_000;
        double rebuild = 12;
        Scenario scenario = new Scenario(
                Clusters.of(5, mtbf, rebuild, 0),
                Layout.striped(4, 1),
                RebuildMode.IN_PLACE,
                TransferTimes.EXPONENTIAL);
        LossRule rule = new CriticalSegments(new int[][] {{0, 1, 2, 3, 4}}, 5, scenario.layout());
        double meanTimeToDataLoss = ((2 * 5 - 1) * mtbf * rebuild + mtbf * mtbf) / (5 * 4 * rebuild);

        Estimate estimate = loss(scenario, rule, FailureBias.towardsLoss(scenario, YEAR), 20_000);

        assertThat(estimate.mean() / (YEAR / meanTimeToDataLoss)).isCloseTo(1, within(0.02));
    }

    @ParameterizedTest
    @CsvSource({"4, 1, 20000, IN_PLACE", "4, 2, 4000, IN_PLACE", "4, 1, 20000, MANY_TAKERS", "1, 1, 8000, MANY_TAKERS"})
    void agreesWithPlainMonteCarloWhereLossesAreCommon(
            int dataUnits, int parityUnits, double mtbfHours, RebuildMode mode) {
        Layout layout = Layout.striped(dataUnits, parityUnits);
        Scenario scenario = new Scenario(Clusters.of(30, mtbfHours, 24, 6), layout, mode, TransferTimes.FIXED);
        LossRule rule = new CriticalSegments(Clusters.segments(60, 30, layout.width(), 3), 30, layout);

        Estimate conditional = loss(scenario, rule, FailureBias.towardsLoss(scenario, YEAR), 2000);
        Estimate plain = Estimate.of(runs(scenario, rule, FailureBias.NONE, 2000, 77), run -> run.drawnLoss() ? 1 : 0);

        assertThat(plain.mean()).isBetween(0.1, 0.9);
        assertThat(conditional.mean())
                .isCloseTo(
                        plain.mean(),
                        within(STANDARD_ERRORS * Math.hypot(plain.standardError(), conditional.standardError())));
        assertThat(conditional.standardError()).isLessThan(plain.standardError());
    }

    @Test
    void biasingNarrowsTheIntervalAndDoesNotMoveTheEstimate() {
        Layout layout = Layout.striped(4, 2);
        Scenario scenario =
                new Scenario(Clusters.of(30, 100_000, 24, 2), layout, RebuildMode.IN_PLACE, TransferTimes.FIXED);
        LossRule rule = new CriticalSegments(Clusters.segments(60, 30, 6, 3), 30, layout);

        Estimate unbiased = loss(scenario, rule, FailureBias.NONE, 40_000);
        Estimate biased = loss(scenario, rule, FailureBias.towardsLoss(scenario, YEAR), 40_000);

        assertThat(biased.mean())
                .isCloseTo(
                        unbiased.mean(),
                        within(STANDARD_ERRORS * Math.hypot(unbiased.standardError(), biased.standardError())));
        assertThat(biased.standardError()).isLessThan(unbiased.standardError() / 2);
    }

    @Test
    void aLoneRebuildTakesItsDelayAndItsTransfer() {
        Scenario scenario = new Scenario(
                Clusters.of(10, 1_000_000, 12, 1), Layout.striped(4, 2), RebuildMode.IN_PLACE, TransferTimes.FIXED);
        ClusterSimulation simulation =
                new ClusterSimulation(scenario, LossRule.NONE, FailureBias.NONE, new SplittableRandom(1));

        simulation.run(1000 * YEAR);

        assertThat(simulation.rebuilt().count()).isBetween(60L, 120L);
        assertThat(simulation.rebuilt().meanHours()).isCloseTo(13, within(0.05));
    }

    @Test
    void rebuildsByManyTakersThatMeetTakeLonger() {
        Scenario crowded = new Scenario(
                Clusters.of(10, 50, 12, 1), Layout.striped(4, 2), RebuildMode.MANY_TAKERS, TransferTimes.FIXED);
        ClusterSimulation simulation =
                new ClusterSimulation(crowded, LossRule.NONE, FailureBias.NONE, new SplittableRandom(1));

        simulation.run(YEAR);

        assertThat(simulation.rebuilt().meanHours()).isGreaterThan(1.5 * crowded.rebuildHours());
        assertThat(simulation.rebuilt().p99Hours())
                .isGreaterThan(simulation.rebuilt().meanHours());
    }

    @Test
    void theSeedDecidesAll() {
        Layout layout = Layout.striped(4, 2);
        Scenario scenario =
                new Scenario(Clusters.of(30, 4000, 24, 6), layout, RebuildMode.MANY_TAKERS, TransferTimes.EXPONENTIAL);
        int[][] segments = PlacedSegments.place(30, 60, 6, 5).nodes();

        Durability first = Durability.simulate(scenario, new CriticalSegments(segments, 30, layout), 50, 9);

        assertThat(PlacedSegments.place(30, 60, 6, 5).nodes()).isDeepEqualTo(segments);
        assertThat(Durability.simulate(scenario, new CriticalSegments(segments, 30, layout), 50, 9))
                .isEqualTo(first);
        assertThat(Durability.simulate(scenario, new CriticalSegments(segments, 30, layout), 50, 10))
                .isNotEqualTo(first);
    }

    private static Estimate loss(Scenario scenario, LossRule rule, FailureBias bias, int runs) {
        return Estimate.of(runs(scenario, rule, bias, runs, 1), Run::loss);
    }

    private static List<Run> runs(Scenario scenario, LossRule rule, FailureBias bias, int runs, long seed) {
        ClusterSimulation simulation = new ClusterSimulation(scenario, rule, bias, new SplittableRandom(seed));
        return Stream.generate(() -> simulation.run(YEAR)).limit(runs).toList();
    }
}
