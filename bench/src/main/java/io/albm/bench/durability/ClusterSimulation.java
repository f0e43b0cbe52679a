// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import java.util.random.RandomGenerator;

/**
 * Nodes that fail and are rebuilt, event by event, beginning with all of them up.
 *
 * <p><b>What happens.</b> Each node that is up fails at a constant rate and loses all it holds; its rebuild begins after a
 * delay and goes as fast as {@link RebuildMode} says; then the node is up again, with all it held. {@link LossRule} says
 * which failures lose data.
 *
 * <p><b>How losses are estimated.</b> A failure that would lose data is drawn but not carried out, and the rate at which such
 * failures come, the hazard <i>h</i>, is integrated over the run instead. Failures of different nodes are independent Poisson
 * processes, so leaving some out does not change the law of the others, and the run loses data with probability
 * 1 &minus; E[exp(&minus;&int;<i>h</i>)] exactly (conditional Monte Carlo over the last failure; S. Asmussen and P. W.
 * Glynn, "Stochastic Simulation", 2007, chapter V). So a run tells something as soon as M nodes were down, not only when
 * M + 1 hit the same segment. Where even M nodes down are rare, {@link FailureBias} makes them frequent, and what is lost
 * counts with the likelihood ratio of the run up to then. Both are unbiased, whatever the distribution of the rebuilds.
 *
 * <p>Deterministic in the random generator. For one thread.
 */
final class ClusterSimulation {
    private final Scenario scenario;
    private final LossRule rule;
    private final FailureBias bias;
    private final RandomGenerator random;
    private final RebuildTimes rebuilt = new RebuildTimes();

    ClusterSimulation(Scenario scenario, LossRule rule, FailureBias bias, RandomGenerator random) {
        this.scenario = scenario;
        this.rule = rule;
        this.bias = bias;
        this.random = random;
    }

    /** The rebuilds that ended in the runs so far. */
    RebuildTimes rebuilt() {
        return rebuilt;
    }

    /** Simulates so many hours, beginning with all nodes up. */
    Run run(double hours) {
        DownNodes down = new DownNodes(scenario);
        Tally tally = new Tally();
        double left = hours;
        while (left > 0) {
            Exposure exposure = rule.exposure(down.nodes());
            double failureRate = (scenario.cluster().nodes() - down.count())
                    * scenario.cluster().failuresPerHour();
            double toChange = Math.min(left, down.hoursToChange());
            FailureBias.Draw failure = bias.draw(down.count(), failureRate, toChange, random);
            double step = Math.min(failure.hours(), toChange);
            tally.pass(step, exposure, failure.logLikelihoodRatio());
            down.advance(step, rebuilt);
            left -= step;
            if (step == failure.hours()) {
                fail(down, exposure, tally);
            }
        }
        return tally.run();
    }

    private void fail(DownNodes down, Exposure exposure, Tally tally) {
        int node = nodeThatIsUp(down);
        if (exposure.isFatal(node)) {
            tally.drawnLoss = true;
        } else {
            down.add(node, scenario.times().draw(random));
        }
    }

    private int nodeThatIsUp(DownNodes down) {
        int node;
        do {
            node = random.nextInt(scenario.cluster().nodes());
        } while (down.nodes().get(node));
        return node;
    }

    /** What a run has come to so far. */
    private final class Tally {
        private double hazard;
        private double logLikelihoodRatio;
        private double loss;
        private double segmentsLost;
        private boolean drawnLoss;

        void pass(double hours, Exposure exposure, double addedLogLikelihoodRatio) {
            double rate = exposure.fatalNodes() * scenario.cluster().failuresPerHour();
            logLikelihoodRatio += addedLogLikelihoodRatio;
            double lost = Math.exp(logLikelihoodRatio - hazard) * -Math.expm1(-rate * hours);
            hazard += rate * hours;
            loss += lost;
            segmentsLost += lost * exposure.segmentsLost();
        }

        Run run() {
            return new Run(loss, segmentsLost, drawnLoss);
        }
    }
}
