// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a host felt at one moment: a value for each {@link Counter} that it has. A counter that it does not have is
 * absent, which is not zero: nothing can be concluded from it. Immutable.
 *
 * <p>In JSON an object of the counters that are there, by {@link Counter#field()}; unknown fields are skipped.
 */
public final class CounterSample {
    private static final Counter[] COUNTERS = Counter.values();
    private static final double ABSENT = Double.NaN;

    private final double[] values;

    private CounterSample(double[] values) {
        for (Counter counter : COUNTERS) {
            double value = values[counter.position()];
            if (!Double.isNaN(value) && !counter.admits(value)) {
                throw new IllegalArgumentException(
                        "counter " + counter.field() + " = " + value + " is out of its range");
            }
        }
        this.values = values;
    }

    /** The six counters of paper P1, table 1, and no other. */
    public CounterSample(
            long availableMemoryBytes,
            double pageReadsPerSecond,
            double runQueueLength,
            double cpuBusyFraction,
            double networkBytesPerSecond,
            int establishedConnections) {
        this(widened(
                (double) availableMemoryBytes,
                pageReadsPerSecond,
                runQueueLength,
                cpuBusyFraction,
                networkBytesPerSecond,
                establishedConnections));
    }

    private static double[] widened(double... first) {
        double[] values = Arrays.copyOf(first, COUNTERS.length);
        Arrays.fill(values, first.length, values.length, ABSENT);
        return values;
    }

    /**
     * One value for each counter.
     *
     * @param value NaN if the host does not have it
     * @throws IllegalArgumentException for a value that no host can have, with the counter's name
     */
    public static CounterSample of(ToDoubleFunction<Counter> value) {
        return new CounterSample(Arrays.stream(COUNTERS).mapToDouble(value).toArray());
    }

    @JsonCreator
    static CounterSample ofFields(Map<String, @Nullable Double> fields) {
        return of(counter -> {
            Double value = fields.get(counter.field());
            return value == null ? ABSENT : value;
        });
    }

    /** The same with another value of one counter; NaN takes it away. */
    public CounterSample with(Counter counter, double value) {
        double[] changed = values.clone();
        changed[counter.position()] = value;
        return new CounterSample(changed);
    }

    /** The counter's value in its unit, or NaN if the host does not have it. */
    public double value(Counter counter) {
        return values[counter.position()];
    }

    /** The counter's value in its unit, or {@code otherwise} if the host does not have it. */
    public double valueOr(Counter counter, double otherwise) {
        return has(counter) ? value(counter) : otherwise;
    }

    /** Whether the host has that counter. */
    public boolean has(Counter counter) {
        return !Double.isNaN(value(counter));
    }

    /** Available memory, bytes; as much as there can be where it is absent, because nothing says that it is short. */
    public long availableMemoryBytes() {
        return (long) valueOr(Counter.AVAILABLE_MEMORY, (double) Long.MAX_VALUE);
    }

    /** The counters that are there by their fields, in the registry's order; whole numbers without a point. */
    @JsonValue
    public Map<String, Number> fields() {
        Map<String, Number> fields = new LinkedHashMap<>();
        for (Counter counter : COUNTERS) {
            if (has(counter)) {
                fields.put(counter.field(), number(value(counter)));
            }
        }
        return fields;
    }

    private static Number number(double value) {
        long whole = (long) value;
        return whole == value ? (Number) whole : (Number) value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CounterSample sample && Arrays.equals(values, sample.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return fields().toString();
    }
}
