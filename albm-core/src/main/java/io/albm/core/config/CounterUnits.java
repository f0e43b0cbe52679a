// SPDX-License-Identifier: Apache-2.0
package io.albm.core.config;

import io.albm.core.node.Counter;
import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Values of counters as text, in the unit of each: {@code 100 MiB}, {@code 75 %}, {@code 12.5/s}, {@code 3}. */
public final class CounterUnits {
    private static final String PER_SECOND = "/s";
    private static final int PERCENT = 100;

    private CounterUnits() {}

    /** The value for people, rounded; {@code -} if the host does not have that counter. */
    public static String rounded(Counter counter, double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return switch (counter.unit()) {
            case BYTES -> Units.rounded(value);
            case BYTES_PER_SECOND -> Units.rounded(value) + PER_SECOND;
            case FRACTION -> Math.round(value * PERCENT) + " %";
            case PER_SECOND -> decimal(value) + PER_SECOND;
            case COUNT -> decimal(value);
        };
    }

    private static String decimal(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.1f", value);
    }

    /** The value as {@link #parse} reads it: sizes in the largest unit that holds them exactly. */
    public static String text(Counter counter, double value) {
        return switch (counter.unit()) {
            case BYTES, BYTES_PER_SECOND -> Units.text(Math.round(value)).replace(" ", "");
            case FRACTION, PER_SECOND, COUNT -> plain(value);
        };
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** What {@link #parse} expects, for messages. */
    public static String example(Counter counter) {
        return switch (counter.unit()) {
            case BYTES -> "a size such as 100MiB";
            case BYTES_PER_SECOND -> "a size a second such as 80MiB or 80MiB/s";
            case FRACTION -> "a share such as 0.8 or 80%";
            case PER_SECOND -> "a number a second such as 500 or 500/s";
            case COUNT -> "a number such as 4";
        };
    }

    /**
     * A value in the counter's unit.
     *
     * @throws IllegalArgumentException if it is none that a host can have; the message says what was expected
     */
    public static double parse(Counter counter, String text) {
        double value = read(counter, text.strip());
        if (!counter.admits(value)) {
            throw refused(counter, text, null);
        }
        return value;
    }

    private static double read(Counter counter, String text) {
        try {
            return switch (counter.unit()) {
                case BYTES -> Units.parseSize(text);
                case BYTES_PER_SECOND -> Units.parseSize(without(PER_SECOND, text));
                case FRACTION -> text.endsWith("%") ? number(without("%", text)) / PERCENT : number(text);
                case PER_SECOND -> number(without(PER_SECOND, text));
                case COUNT -> number(text);
            };
        } catch (IllegalArgumentException e) {
            throw refused(counter, text, e);
        }
    }

    private static double number(String text) {
        return Double.parseDouble(text);
    }

    private static String without(String suffix, String text) {
        return text.endsWith(suffix)
                ? text.substring(0, text.length() - suffix.length()).strip()
                : text;
    }

    private static IllegalArgumentException refused(Counter counter, String text, @Nullable Exception cause) {
        return new IllegalArgumentException(counter.label() + " = '" + text + "': expected " + example(counter), cause);
    }
}
