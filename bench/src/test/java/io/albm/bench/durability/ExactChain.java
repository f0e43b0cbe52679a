// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The same cluster as a Markov chain over the sets of nodes that are down, solved without randomness by uniformization
 * (A. Jensen, 1953): for few nodes, exponential transfers and no delay.
 */
final class ExactChain {
    private final Scenario scenario;
    private final LossRule rule;
    private final int nodes;
    private final double uniformRate;

    ExactChain(Scenario scenario, LossRule rule) {
        this.scenario = scenario;
        this.rule = rule;
        this.nodes = scenario.cluster().nodes();
        this.uniformRate = nodes * (scenario.cluster().failuresPerHour() + 1 / scenario.transferHours());
    }

    /** The probability that data is lost within so many hours, beginning with all nodes up. */
    double loss(double hours) {
        double steps = uniformRate * hours;
        double[] alive = new double[1 << nodes];
        alive[0] = 1;
        double lost = 0;
        double probability = 0;
        double logPoisson = -steps;
        for (int step = 0; step < steps + 10 * Math.sqrt(steps) + 50; step++) {
            probability += Math.exp(logPoisson) * lost;
            double[] next = new double[alive.length];
            for (int down = 0; down < alive.length; down++) {
                if (alive[down] > 0) {
                    lost += step(down, alive[down], next);
                }
            }
            alive = next;
            logPoisson += Math.log(steps / (step + 1));
        }
        return probability;
    }

    /** @return what of the state's probability goes to a loss */
    private double step(int down, double probability, double[] next) {
        BitSet set = BitSet.valueOf(new long[] {down});
        Exposure exposure = rule.exposure(set);
        int count = set.cardinality();
        double failed = probability * scenario.cluster().failuresPerHour() / uniformRate;
        double rebuilt = count == 0
                ? 0
                : probability
                        * scenario.mode().speed(count, nodes - count, nodes)
                        / scenario.transferHours()
                        / uniformRate;
        for (int node : IntStream.range(0, nodes).toArray()) {
            if (set.get(node)) {
                next[down & ~(1 << node)] += rebuilt;
            } else if (!exposure.isFatal(node)) {
                next[down | 1 << node] += failed;
            }
        }
        next[down] += probability - rebuilt * count - failed * (nodes - count);
        return failed * exposure.fatalNodes();
    }
}
