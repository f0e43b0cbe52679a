// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

/**
 * How soon documents of one kind are asked for again, by the time since they were asked for last, learned from what
 * happens.
 *
 * <p>Ages fall into buckets that double in width. Per bucket it counts requests that came at that age, and how long
 * documents were exposed at it; one over the other is the hazard: the chance of a request per unit of time. A prior
 * that is worth a few requests stands in while there is little to count.
 *
 * <p>Keeping a document of age {@code a} pays off at the best rate that any waiting time from there offers: the largest
 * ratio of the chance of a request within that time to the time it will take (Gittins' index of a one-armed bandit). Where the
 * hazard falls with age, as it mostly does, that is the hazard itself; where it rises, as for documents that come back in
 * turns, it sees the request that lies ahead. {@link #distance} is the index's inverse: the requests that it takes, in the
 * kind's unit of time.
 */
final class Hazards {

    /** How many requests the prior is worth. */
    private static final double PRIOR_REQUESTS = 4;

    /** Below this chance that a document was not asked for yet, waiting longer changes nothing. */
    private static final double LEAST_SURVIVAL = 1e-3;

    private final int lowestExponent;
    private final double[] requests;
    private final double[] exposure;
    private final double[] distance;

    /** Scratch of {@link #solve}: the hazard of each bucket, and the chance of a request while passing through it. */
    private final double[] hazard;

    private final double[] chance;
    private boolean changed = true;
    private double leastDistance;
    private int period = -1;

    /**
     * @param lowestExponent bucket 0 ends at two to the power of this plus 1
     * @param buckets how many; the last one never ends
     */
    Hazards(int lowestExponent, int buckets) {
        this.lowestExponent = lowestExponent;
        requests = new double[buckets];
        exposure = new double[buckets];
        distance = new double[buckets];
        hazard = new double[buckets];
        chance = new double[buckets];
    }

    private int bucket(double age) {
        return Math.clamp(Math.getExponent(age) - lowestExponent, 0, requests.length - 1);
    }

    private double start(int bucket) {
        return bucket == 0 ? 0 : Math.scalb(1.0, lowestExponent + bucket);
    }

    private double end(int bucket) {
        return Math.scalb(1.0, lowestExponent + bucket + 1);
    }

    /** So many requests came at that age. */
    void requested(double age, int times) {
        requests[bucket(age)] += times;
        changed = true;
    }

    /** Documents were of that age for so long together. */
    void exposed(double age, double time) {
        exposure[bucket(age)] += time;
        changed = true;
    }

    /** What was counted weighs half from now on. */
    void halve() {
        for (int bucket = 0; bucket < requests.length; bucket++) {
            requests[bucket] /= 2;
            exposure[bucket] /= 2;
        }
        changed = true;
    }

    /** How far the next request is thought to be from that age on, as of the last call of {@link #solvedFor}. */
    double distance(double age) {
        return distance[bucket(age)];
    }

    /** How much older it has to be for another distance; infinite at the greatest ages. */
    double untilNext(double age) {
        int bucket = bucket(age);
        return bucket == distance.length - 1 ? Double.POSITIVE_INFINITY : end(bucket) - age;
    }

    /**
     * Itself, with the distances worked out from the counts if that is the first call of a period.
     *
     * @param period any other number than that of the period before, at least 0
     * @param leastDistance the prior: the next request is as far away as the last one, and no nearer than this
     */
    Hazards solvedFor(int period, double leastDistance) {
        if (period != this.period) {
            this.period = period;
            if (changed || leastDistance != this.leastDistance) {
                solve(leastDistance);
            }
        }
        return this;
    }

    private void solve(double leastDistance) {
        for (int bucket = 0; bucket < hazard.length; bucket++) {
            double prior = Math.max(leastDistance, (start(bucket) + end(bucket)) / 2);
            hazard[bucket] = (requests[bucket] + PRIOR_REQUESTS) / (exposure[bucket] + PRIOR_REQUESTS * prior);
            chance[bucket] = -Math.expm1(-hazard[bucket] * (end(bucket) - start(bucket)));
        }
        for (int bucket = 0; bucket < distance.length; bucket++) {
            distance[bucket] = 1 / bestRateFrom(bucket);
        }
        changed = false;
        this.leastDistance = leastDistance;
    }

    /** From the middle of a bucket on. */
    private double bestRateFrom(int first) {
        double inHalf = chance[first] / (1 + Math.sqrt(1 - chance[first]));
        double survival = 1 - inHalf;
        double requested = inHalf;
        double time = inHalf / hazard[first];
        double best = hazard[first];
        for (int bucket = first + 1; bucket < hazard.length && survival > LEAST_SURVIVAL; bucket++) {
            double here = survival * chance[bucket];
            requested += here;
            time += here / hazard[bucket];
            survival -= here;
            best = Math.max(best, requested / time);
        }
        return best;
    }
}
