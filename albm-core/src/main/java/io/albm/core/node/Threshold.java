// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

/**
 * Two levels of one counter. One level would flap: a relieved server frees what it is short of at once.
 *
 * @param counter of what
 * @param relieve past this a host is short: below it where low is bad, above it where high is bad
 * @param recover past this, on the other side, it has enough again, and at 0 where high is bad, as nothing is past that; never on the
 *     short side of {@code relieve}
 */
public record Threshold(Counter counter, double relieve, double recover) {
    public Threshold {
        boolean inOrder = switch (counter.direction()) {
            case LOW_IS_BAD -> relieve <= recover;
            case HIGH_IS_BAD -> relieve >= recover;
        };
        if (!counter.admits(relieve) || !counter.admits(recover) || !inOrder) {
            throw new IllegalArgumentException("threshold " + counter.label() + " relieve=" + relieve + " recover="
                    + recover + ": expected values that a host can have, and "
                    + (counter.direction() == Counter.Direction.LOW_IS_BAD
                            ? "relieve at most recover, for low is bad"
                            : "relieve at least recover, for high is bad"));
        }
    }

    /** Whether a host is short of it; never of a counter that it does not have. */
    public boolean isShort(CounterSample sample) {
        return margin(sample) < 0;
    }

    /** Whether a host has enough again; always of a counter that it does not have. */
    public boolean isRecovered(CounterSample sample) {
        return !sample.has(counter) || beyond(recover, sample.value(counter)) > 0 || isBest(sample.value(counter));
    }

    private boolean isBest(double value) {
        return counter.direction() == Counter.Direction.HIGH_IS_BAD && value <= 0;
    }

    /**
     * How far a host is from being short, as a share of the levels, so that counters can be compared: 0 at {@code
     * relieve}, negative beyond it, infinite for a counter that it does not have.
     */
    public double margin(CounterSample sample) {
        if (!sample.has(counter)) {
            return Double.POSITIVE_INFINITY;
        }
        double scale = Math.max(relieve, recover);
        return beyond(relieve, sample.value(counter)) / (scale > 0 ? scale : 1);
    }

    /** The distance from a level to the good side. */
    private double beyond(double level, double value) {
        return switch (counter.direction()) {
            case LOW_IS_BAD -> value - level;
            case HIGH_IS_BAD -> level - value;
        };
    }
}
