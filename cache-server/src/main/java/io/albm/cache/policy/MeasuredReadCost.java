// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The cost of a read, by what the policy should save: the number of reads, or the time they take. Can be switched while
 * policies use it.
 *
 * <p>A read takes a time of its own (a seek, an open, a round trip) and a time per byte. Both are learned from the owner's
 * reads by least squares in which a read weighs {@value #FORGETTING} less with every later one. Before enough
 * reads of different sizes were seen, a read is thought to cost as much as the transfer of 64 KiB.
 *
 * <p>Thread-safe.
 */
public final class MeasuredReadCost implements ReadCost {

    /** What hits are for. */
    public enum Objective {
        /** Fewest reads: the highest object hit ratio. */
        OBJECT_HITS,
        /** Least time spent on reading: large documents count for more, and the byte hit ratio rises. */
        READ_TIME;

        /** As configuration and commands call it, such as {@code read-time}. */
        public String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** The ids of all. */
        public static List<String> ids() {
            return Stream.of(values()).map(Objective::id).toList();
        }

        /**
         * The one of an id.
         *
         * @throws IllegalArgumentException if there is none; it says which there are
         */
        public static Objective of(String id) {
            return Stream.of(values())
                    .filter(objective -> objective.id().equals(id))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("expected one of " + String.join(", ", ids())));
        }
    }

    /**
     * What was learned.
     *
     * @param nanos of a read without a byte
     * @param nanosPerByte what each byte adds
     */
    public record Line(double nanos, double nanosPerByte) {
        private double at(long bytes) {
            return nanos + nanosPerByte * bytes;
        }
    }

    private static final double FORGETTING = 0.001;
    private static final int LEAST_READS = 32;
    private static final Line UNKNOWN = new Line(1, 1.0 / (64 << 10));
    private static final double LEAST_NANOS = 1;

    private volatile Objective objective;
    private volatile Line line = UNKNOWN;

    private long reads;
    private double meanBytes;
    private double meanNanos;
    private double variance;
    private double covariance;

    public MeasuredReadCost(Objective objective) {
        this.objective = objective;
    }

    /** Changes what hits are for, from the next decision on. */
    public void objective(Objective objective) {
        this.objective = objective;
    }

    public Objective objective() {
        return objective;
    }

    /** What is known now of the time that a read takes. */
    public Line line() {
        return line;
    }

    /**
     * Takes note of a read.
     *
     * @param bytes that were read, at least 0
     * @param nanos from its start to its end, without the time it waited for its turn
     */
    public synchronized void read(long bytes, long nanos) {
        reads++;
        double weight = Math.max(1.0 / reads, FORGETTING);
        double moreBytes = bytes - meanBytes;
        double moreNanos = nanos - meanNanos;
        meanBytes += weight * moreBytes;
        meanNanos += weight * moreNanos;
        variance = (1 - weight) * (variance + weight * moreBytes * moreBytes);
        covariance = (1 - weight) * (covariance + weight * moreBytes * moreNanos);
        if (reads >= LEAST_READS && variance > 0) {
            double nanosPerByte = Math.max(0, covariance / variance);
            line = new Line(Math.max(LEAST_NANOS, meanNanos - nanosPerByte * meanBytes), nanosPerByte);
        }
    }

    @Override
    public double of(long bytes) {
        return switch (objective) {
            case OBJECT_HITS -> 1;
            case READ_TIME -> line.at(bytes);
        };
    }
}
