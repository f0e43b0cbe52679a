// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/**
 * How long after the begin of one checkpoint the next begins. What a checkpoint costs is the job's <em>stall</em>, from
 * its begin until all ranks run on: the way to stable storage goes on beside the job, and delays the commit, not the
 * work. The cost is taken from the commit records, so a new coordinator decides as the one before it.
 *
 * <p>An interval that follows the cost begins with the shortest of its {@link Limits}, since only a checkpoint tells what
 * one costs.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Interval.Fixed.class, name = "fixed"),
    @JsonSubTypes.Type(value = Interval.OverheadBudget.class, name = "overhead-budget"),
    @JsonSubTypes.Type(value = Interval.YoungDaly.class, name = "young-daly")
})
public sealed interface Interval {
    /** How many of the newest checkpoints tell what one costs. */
    int MEASURED = 8;

    /**
     * From begin to begin, in milliseconds, at least 1.
     *
     * @param stallsMillis of the newest complete checkpoints, in any order; empty if there is none
     */
    long millis(List<Long> stallsMillis);

    /** Always the same. */
    record Fixed(long everyMillis) implements Interval {
        public Fixed {
            if (everyMillis < 1) {
                throw new IllegalArgumentException("interval of " + everyMillis + " ms; expected at least 1");
            }
        }

        @Override
        public long millis(List<Long> stallsMillis) {
            return everyMillis;
        }
    }

    /**
     * The stall takes this share of the job's time.
     *
     * @param percent more than 0, at most 50
     */
    record OverheadBudget(double percent, Limits limits) implements Interval {
        public OverheadBudget {
            if (!(percent > 0 && percent <= 50)) {
                throw new IllegalArgumentException("overhead of " + percent + " %; expected more than 0, at most 50");
            }
        }

        @Override
        public long millis(List<Long> stallsMillis) {
            return limits.clamp(mean(stallsMillis) * 100 / percent);
        }
    }

    /**
     * What loses least time to checkpoints and to work that is done again, for failures that come independently of each
     * other: the higher-order estimate of J. T. Daly, <em>A higher order estimate of the optimum checkpoint interval for
     * restart dumps</em>, FGCS 22 (2006), of which Young's {@code sqrt(2 cost mtbf)} is the first term.
     *
     * @param mtbfMillis mean time between failures of the whole job: that of one node by the number of nodes
     */
    record YoungDaly(long mtbfMillis, Limits limits) implements Interval {
        public YoungDaly {
            if (mtbfMillis < 1) {
                throw new IllegalArgumentException("mean time between failures of " + mtbfMillis + " ms; expected > 0");
            }
        }

        @Override
        public long millis(List<Long> stallsMillis) {
            return limits.clamp(beginToBegin(mean(stallsMillis), (double) mtbfMillis));
        }

        /** Daly's time of work between two checkpoints, and the checkpoint. */
        private static double beginToBegin(double cost, double mtbf) {
            double half = cost / (2 * mtbf);
            return half < 1 ? Math.sqrt(2 * cost * mtbf) * (1 + Math.sqrt(half) / 3 + half / 9) : mtbf + cost;
        }
    }

    /** What an interval that follows the cost never leaves. */
    record Limits(long shortestMillis, long longestMillis) {
        public Limits {
            if (shortestMillis < 1 || longestMillis < shortestMillis) {
                throw new IllegalArgumentException("intervals from " + shortestMillis + " ms to " + longestMillis
                        + " ms; expected at least 1, and the longest not below the shortest");
            }
        }

        private long clamp(double millis) {
            return Math.clamp(Math.round(millis), shortestMillis, longestMillis);
        }
    }

    private static double mean(List<Long> stallsMillis) {
        return stallsMillis.stream().mapToLong(Long::longValue).average().orElse(0);
    }
}
