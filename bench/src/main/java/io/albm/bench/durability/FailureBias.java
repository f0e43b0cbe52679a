// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import java.util.random.RandomGenerator;

/**
 * Makes nodes fail more often than in truth while so few are down that no failure could lose data: failure biasing by
 * forced transitions (E. E. Lewis and F. Böhm, "Monte Carlo simulation of Markov unreliability models", Nuclear
 * Engineering and Design 77, 1984). Each step towards M nodes down is made as frequent as to happen about once per run,
 * and never rarer than it is. What that changes is taken out again by the likelihood ratio, so the factors decide how wide
 * the confidence interval is and never where it lies. Immutable.
 *
 * <p>Forced is whether a node fails before the next rebuild begins or ends, and with a probability of at most a half: to
 * multiply the rate of failures instead would give rebuilds that take long by chance likelihood ratios without a bound, and
 * the estimate an infinite variance if transfers are exponential.
 */
final class FailureBias {
    /** Nodes fail as they do. */
    static final FailureBias NONE = new FailureBias();

    private static final double MOST_FORCED = 0.5;

    private final double[] factors;

    /**
     * When the next node fails.
     *
     * @param hours from now; infinite if none fails before something else changes
     * @param logLikelihoodRatio natural logarithm of how probable this is in truth over how probable it was made
     */
    record Draw(double hours, double logLikelihoodRatio) {}

    private FailureBias(double... factors) {
        this.factors = factors;
    }

    /** The factors for runs of so many hours. */
    static FailureBias towardsLoss(Scenario scenario, double runHours) {
        double[] factors = new double[scenario.layout().bearable()];
        ClusterModel cluster = scenario.cluster();
        double visits = 1;
        double hours = runHours;
        for (int down = 0; down < factors.length; down++) {
            double expected = visits * hours * (cluster.nodes() - down) * cluster.failuresPerHour();
            factors[down] = Math.max(1, 1 / expected);
            visits = Math.max(1, expected);
            hours = Math.min(runHours, scenario.rebuildHours()) / (down + 1);
        }
        return new FailureBias(factors);
    }

    /** Whether nodes fail as they do. */
    boolean isNone() {
        for (double factor : factors) {
            if (factor != 1) {
                return false;
            }
        }
        return true;
    }

    /**
     * Draws when the next node fails.
     *
     * @param down how many nodes are down
     * @param rate failures per hour of all others together
     * @param hoursToChange until something else changes, and all is drawn anew
     */
    Draw draw(int down, double rate, double hoursToChange, RandomGenerator random) {
        double factor = down < factors.length ? factors[down] : 1;
        if (factor == 1) {
            return new Draw(random.nextExponential() / rate, 0);
        }
        double probability = -Math.expm1(-rate * hoursToChange);
        double forced = Math.max(probability, Math.min(MOST_FORCED, -Math.expm1(-factor * rate * hoursToChange)));
        return random.nextDouble() < forced
                ? new Draw(-Math.log1p(-random.nextDouble() * probability) / rate, Math.log(probability / forced))
                : new Draw(Double.POSITIVE_INFINITY, Math.log1p(-probability) - Math.log1p(-forced));
    }
}
