// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

import com.fasterxml.jackson.annotation.JsonValue;
import io.albm.core.text.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The registry of what a host can feel. What agents sample and publish, the thresholds, the metrics and everything that
 * shows counters go through it by name, so that one more counter is one more constant here and its source in the agent.
 *
 * <p>The first six are those of paper P1, table 1, in its order; every host has them. The others may be absent: a kernel
 * without pressure stall information, a host without swap. The order is that of the published form: a new constant goes
 * to the end.
 */
public enum Counter {
    /** Falls long before a server fails: the counter of P1's own experiment. */
    AVAILABLE_MEMORY(
            "available-memory",
            Unit.BYTES,
            Direction.LOW_IS_BAD,
            new Tolerance(4 << 20, 0.02),
            "Memory that can be had without swapping, the tightest of host and container"),
    PAGE_READS(
            "page-reads",
            Unit.PER_SECOND,
            Direction.HIGH_IS_BAD,
            new Tolerance(5, 0.2),
            "Page faults that had to wait for the disk"),
    RUN_QUEUE_LENGTH(
            "run-queue-length",
            Unit.COUNT,
            Direction.HIGH_IS_BAD,
            new Tolerance(1, 0.25),
            "Threads that are ready to run and wait for a processor"),
    CPU_BUSY(
            "cpu-busy",
            Unit.FRACTION,
            Direction.HIGH_IS_BAD,
            new Tolerance(0.05, 0),
            "Busy share of all processors, or of the container's CPU limit if that is higher"),
    NETWORK(
            "network",
            Unit.BYTES_PER_SECOND,
            Direction.HIGH_IS_BAD,
            new Tolerance(64 << 10, 0.1),
            "Bytes received and sent by the counted interfaces"),
    ESTABLISHED_CONNECTIONS(
            "established-connections",
            Unit.COUNT,
            Direction.HIGH_IS_BAD,
            new Tolerance(5, 0.05),
            "TCP connections in ESTABLISHED or CLOSE_WAIT"),
    CPU_PRESSURE(
            "cpu-pressure",
            Unit.FRACTION,
            Direction.HIGH_IS_BAD,
            new Tolerance(0.2, 0),
            "Share of time in which some task waited for a processor"),
    MEMORY_PRESSURE(
            "memory-pressure",
            Unit.FRACTION,
            Direction.HIGH_IS_BAD,
            new Tolerance(0.1, 0),
            "Share of time in which some task waited for memory"),
    IO_PRESSURE(
            "io-pressure",
            Unit.FRACTION,
            Direction.HIGH_IS_BAD,
            new Tolerance(0.2, 0),
            "Share of time in which some task waited for a disk"),
    FREE_SWAP("free-swap", Unit.BYTES, Direction.LOW_IS_BAD, new Tolerance(4 << 20, 0.02), "Swap space that is free"),
    SWAP_INS("swap-ins", Unit.PER_SECOND, Direction.HIGH_IS_BAD, new Tolerance(5, 0.2), "Pages read from swap"),
    SWAP_OUTS("swap-outs", Unit.PER_SECOND, Direction.HIGH_IS_BAD, new Tolerance(5, 0.2), "Pages written to swap"),
    DISK_BUSY(
            "disk-busy",
            Unit.FRACTION,
            Direction.HIGH_IS_BAD,
            new Tolerance(0.2, 0),
            "Share of time in which the busiest disk had work"),
    DISK(
            "disk",
            Unit.BYTES_PER_SECOND,
            Direction.HIGH_IS_BAD,
            new Tolerance(1 << 20, 0.25),
            "Bytes read from and written to all disks");

    /** Those of paper P1, table 1, in its order. */
    public static final List<Counter> OF_PAPER =
            List.copyOf(Arrays.asList(values()).subList(0, ESTABLISHED_CONNECTIONS.position() + 1));

    private static final Map<String, Counter> BY_LABEL =
            Arrays.stream(values()).collect(Collectors.toMap(Counter::label, Function.identity()));

    private final String label;
    private final Unit unit;
    private final Direction direction;
    private final double absoluteTolerance;
    private final double relativeTolerance;
    private final String help;
    private final String metric;
    private final String field;

    Counter(String label, Unit unit, Direction direction, Tolerance tolerance, String help) {
        this.label = label;
        this.unit = unit;
        this.direction = direction;
        this.absoluteTolerance = tolerance.absolute;
        this.relativeTolerance = tolerance.relative;
        this.help = help;
        this.metric = label.replace('-', '_') + unit.suffix;
        this.field = camelCase(metric);
    }

    private static String camelCase(String snakeCase) {
        String[] words = snakeCase.split("_", -1);
        return words[0]
                + Arrays.stream(words)
                        .skip(1)
                        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                        .collect(Collectors.joining());
    }

    /** What a counter's number is of. */
    public enum Unit {
        BYTES("_bytes"),
        PER_SECOND("_per_second"),
        COUNT(""),
        /** 0 to 1. */
        FRACTION("_fraction"),
        BYTES_PER_SECOND("_bytes_per_second");

        private final String suffix;

        Unit(String suffix) {
            this.suffix = suffix;
        }
    }

    /** On which side of its threshold a host is short of something. */
    public enum Direction {
        LOW_IS_BAD,
        HIGH_IS_BAD
    }

    /**
     * How far a published value may be from the present one: {@code max(absolute, relative * published)}.
     *
     * @param absolute in the counter's unit
     * @param relative share of the published value
     */
    public record Tolerance(double absolute, double relative) {
        public Tolerance {
            if (!(absolute >= 0) || !(relative >= 0)) {
                throw new IllegalArgumentException(
                        "tolerance " + absolute + " and " + relative + ": neither may be negative");
            }
        }

        /** Whether {@code now} is further away than that; a counter that appears or vanishes always is. */
        public boolean isLeft(double published, double now) {
            return Double.isNaN(published) != Double.isNaN(now)
                    || Math.abs(now - published) > Math.max(absolute, relative * Math.abs(published));
        }
    }

    /** The counter of that name in configuration and commands, such as {@code available-memory}. */
    public static Optional<Counter> find(String label) {
        return Optional.ofNullable(BY_LABEL.get(label));
    }

    /**
     * The counter of that name.
     *
     * @throws IllegalArgumentException if there is none; the message names the nearest
     */
    public static Counter parse(String label) {
        return find(label)
                .orElseThrow(() -> new IllegalArgumentException("unknown counter '" + label + "': expected one of "
                        + String.join(", ", labels()) + Nearest.hint(label, labels())));
    }

    /** Every name, in the registry's order. */
    public static List<String> labels() {
        return Arrays.stream(values()).map(Counter::label).toList();
    }

    /** Its name in configuration, commands and messages, and as a value in JSON. */
    @JsonValue
    public String label() {
        return label;
    }

    public Unit unit() {
        return unit;
    }

    public Direction direction() {
        return direction;
    }

    public Tolerance tolerance() {
        return new Tolerance(absoluteTolerance, relativeTolerance);
    }

    /** What it is, in one line. */
    public String help() {
        return help;
    }

    /** Its name with the unit, in snake case: the name of its metric. */
    public String metric() {
        return metric;
    }

    /** Its name with the unit, in camel case: the field in JSON. */
    public String field() {
        return field;
    }

    /** Its place in the registry, from 0. */
    @SuppressWarnings("EnumOrdinal") // the order is that of the published form, and only grows at its end
    public int position() {
        return ordinal();
    }

    /** Whether a host can have that value: finite, not negative, and at most 1 if it is a fraction. */
    public boolean admits(double value) {
        return value >= 0 && value <= (unit == Unit.FRACTION ? 1 : Double.MAX_VALUE);
    }
}
