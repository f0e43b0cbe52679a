// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * What a layout is worth under a way to rebuild.
 *
 * @param loss probability that data is lost within a year
 * @param segmentsLost how many segments the first loss takes, times the probability that there is one within a year
 * @param biased whether losses were made frequent, so that their number in the simulation says nothing
 * @param drawnLosses share of simulated years in which data was lost
 * @param rebuildsPerYear that ended
 * @param rebuildMeanHours from a failure to full redundancy
 * @param rebuildP99Hours from a failure to full redundancy
 */
record Durability(
        Scenario scenario,
        Estimate loss,
        Estimate segmentsLost,
        boolean biased,
        Estimate drawnLosses,
        double rebuildsPerYear,
        double rebuildMeanHours,
        double rebuildP99Hours) {
    private static final double BYTES_PER_TEBIBYTE = 1L << 40;
    private static final double DAYS_PER_YEAR = ClusterModel.YEAR_HOURS / 24;

    /** Simulates so many years, each by itself, and as many in one go for the rebuilds. */
    static Durability simulate(Scenario scenario, LossRule rule, int years, long seed) {
        FailureBias bias = FailureBias.towardsLoss(scenario, ClusterModel.YEAR_HOURS);
        ClusterSimulation losses = new ClusterSimulation(scenario, rule, bias, new SplittableRandom(seed));
        List<Run> runs = Stream.generate(() -> losses.run(ClusterModel.YEAR_HOURS))
                .limit(years)
                .toList();
        ClusterSimulation rebuilds =
                new ClusterSimulation(scenario, LossRule.NONE, FailureBias.NONE, new SplittableRandom(seed));
        rebuilds.run(years * ClusterModel.YEAR_HOURS);
        return new Durability(
                scenario,
                Estimate.of(runs, Run::loss),
                Estimate.of(runs, Run::segmentsLost),
                !bias.isNone(),
                Estimate.of(runs, run -> run.drawnLoss() ? 1 : 0),
                (double) rebuilds.rebuilt().count() / years,
                rebuilds.rebuilt().meanHours(),
                rebuilds.rebuilt().p99Hours());
    }

    /** Segments that the first loss takes, if there is one; 0 if none was seen to be possible. */
    double segmentsPerLoss() {
        return loss.mean() == 0 ? 0 : segmentsLost.mean() / loss.mean();
    }

    /** What goes over the network for rebuilds: K bytes for each that is made again. */
    double rebuildTebibytesPerDay() {
        double bytesPerRebuild =
                scenario.cluster().bytesPerNode() * scenario.layout().geometry().dataUnits();
        return rebuildsPerYear * bytesPerRebuild / BYTES_PER_TEBIBYTE / DAYS_PER_YEAR;
    }
}
