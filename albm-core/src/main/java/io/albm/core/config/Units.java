// SPDX-License-Identifier: Apache-2.0
package io.albm.core.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValueFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.function.BiFunction;

/** Durations and data sizes with their units, as text: {@code 250 ms}, {@code 64 MiB}. */
public final class Units {
    private static final String[] SIZES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    private static final int STEP = 1024;

    private Units() {}

    /**
     * Reads a duration. Its unit must be written, because a bare number means something else to everybody.
     *
     * @throws IllegalArgumentException if it is no duration with a unit
     */
    public static Duration parseDuration(String text) {
        String trimmed = text.strip();
        if (trimmed.equals("0")) {
            return Duration.ZERO;
        }
        if (trimmed.isEmpty() || Character.isDigit(trimmed.charAt(trimmed.length() - 1))) {
            throw new IllegalArgumentException("no unit");
        }
        return read(trimmed, Config::getDuration);
    }

    /**
     * Reads a data size in bytes. Units of 1024: KiB, MiB, GiB; of 1000: kB, MB, GB; a bare number is bytes.
     *
     * @throws IllegalArgumentException if it is no data size
     */
    public static long parseSize(String text) {
        return read(text.strip(), Config::getBytes);
    }

    /** The duration in the largest unit that holds it exactly. */
    public static String text(Duration duration) {
        long nanos = duration.toNanos();
        String[] names = {"h", "m", "s", "ms", "us"};
        long[] lengths = {3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L, 1_000_000L, 1_000L};
        for (int i = 0; i < names.length; i++) {
            if (nanos != 0 && nanos % lengths[i] == 0) {
                return nanos / lengths[i] + " " + names[i];
            }
        }
        return nanos == 0 ? "0 s" : nanos + " ns";
    }

    /** The size in the largest binary unit that holds it exactly. */
    public static String text(long bytes) {
        int unit = 0;
        long value = bytes;
        while (value != 0 && value % STEP == 0 && unit < SIZES.length - 1) {
            value /= STEP;
            unit++;
        }
        return value + " " + SIZES[unit];
    }

    /** The size for people, to three digits: {@code 1.42 GiB}. */
    public static String rounded(double bytes) {
        int unit = 0;
        double value = bytes;
        while (value >= STEP && unit < SIZES.length - 1) {
            value /= STEP;
            unit++;
        }
        int decimals = unit == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f %s", value, SIZES[unit]);
    }

    private static <T> T read(String text, BiFunction<Config, String, T> getter) {
        try {
            return getter.apply(ConfigValueFactory.fromAnyRef(text).atKey("value"), "value");
        } catch (ConfigException e) {
            throw new IllegalArgumentException("bad unit or number", e);
        }
    }
}
