// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Levels of several counters, at most one threshold each: a host is short if it is short of any, and has recovered when
 * it has enough of all. Immutable; may be empty.
 *
 * @param levels in the registry's order
 */
public record Thresholds(List<Threshold> levels) {
    private static final double MIB = 1L << 20;

    /** Paper P1 saw the knee of its 512 MB servers between 135 and 83 MB and set the threshold to 100 MB. */
    public static final Thresholds OF_PAPER = of(new Threshold(Counter.AVAILABLE_MEMORY, 100 * MIB, 130 * MIB));

    public Thresholds {
        levels =
                levels.stream().sorted(Comparator.comparing(Threshold::counter)).toList();
        if (levels.stream().map(Threshold::counter).distinct().count() < levels.size()) {
            throw new IllegalArgumentException("thresholds " + levels + ": expected at most one for each counter");
        }
    }

    /** These and no others. */
    public static Thresholds of(Threshold... levels) {
        return new Thresholds(Arrays.asList(levels));
    }

    /** The threshold of one counter. */
    public Optional<Threshold> find(Counter counter) {
        return levels.stream().filter(level -> level.counter() == counter).findFirst();
    }

    /** The same with other levels of one counter. */
    public Thresholds with(Threshold threshold) {
        List<Threshold> changed = new ArrayList<>(levels);
        changed.removeIf(level -> level.counter() == threshold.counter());
        changed.add(threshold);
        return new Thresholds(changed);
    }

    /** Whether a host is short of anything. */
    public boolean isShort(CounterSample sample) {
        return levels.stream().anyMatch(level -> level.isShort(sample));
    }

    /** Whether a host has enough of everything. */
    public boolean isRecovered(CounterSample sample) {
        return levels.stream().allMatch(level -> level.isRecovered(sample));
    }

    /** The threshold that a host is nearest to or furthest beyond; empty without thresholds. */
    public Optional<Threshold> tightest(CounterSample sample) {
        return levels.stream().min(Comparator.comparingDouble(level -> level.margin(sample)));
    }

    /** The {@linkplain Threshold#margin margin} of the tightest; infinite without thresholds. */
    public double margin(CounterSample sample) {
        return tightest(sample).map(level -> level.margin(sample)).orElse(Double.POSITIVE_INFINITY);
    }
}
