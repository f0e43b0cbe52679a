// SPDX-License-Identifier: Apache-2.0
package io.albm.core.config;

import io.albm.core.node.Counter;
import io.albm.core.node.Threshold;
import io.albm.core.node.Thresholds;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Thresholds as text. In the live settings of the distributors each level is a key of its own, {@code
 * threshold.<counter>.relieve} and {@code .recover}; in a role's configuration all of them are one list, {@code
 * available-memory=100MiB:130MiB, memory-pressure=30%:10%}.
 */
public final class ThresholdSettings {
    private static final String PREFIX = "threshold.";

    private ThresholdSettings() {}

    /** The live setting of the level at which a host is relieved. */
    public static String relieveKey(Counter counter) {
        return PREFIX + counter.label() + ".relieve";
    }

    /** The live setting of the level at which it recovers. */
    public static String recoverKey(Counter counter) {
        return PREFIX + counter.label() + ".recover";
    }

    /** Every live setting there can be. */
    public static List<String> keys() {
        return Arrays.stream(Counter.values())
                .flatMap(counter -> Stream.of(relieveKey(counter), recoverKey(counter)))
                .toList();
    }

    /** The live settings that bring these thresholds into force. */
    public static Map<String, String> settings(Thresholds thresholds) {
        Map<String, String> settings = new TreeMap<>();
        for (Threshold threshold : thresholds.levels()) {
            Counter counter = threshold.counter();
            settings.put(relieveKey(counter), CounterUnits.text(counter, threshold.relieve()));
            settings.put(recoverKey(counter), CounterUnits.text(counter, threshold.recover()));
        }
        return settings;
    }

    /**
     * The thresholds in force.
     *
     * @param settings live settings; those that are no thresholds are skipped
     * @param start what holds for levels that are not set
     * @throws IllegalArgumentException if a level makes no sense; the message says what was expected
     */
    public static Thresholds inForce(Map<String, String> settings, Thresholds start) {
        Thresholds thresholds = start;
        for (Counter counter : Counter.values()) {
            if (settings.containsKey(relieveKey(counter)) || settings.containsKey(recoverKey(counter))) {
                thresholds = thresholds.with(
                        threshold(counter, settings, start.find(counter).orElse(null)));
            }
        }
        return thresholds;
    }

    private static Threshold threshold(Counter counter, Map<String, String> settings, @Nullable Threshold start) {
        return new Threshold(
                counter,
                level(counter, settings, relieveKey(counter), start == null ? Double.NaN : start.relieve()),
                level(counter, settings, recoverKey(counter), start == null ? Double.NaN : start.recover()));
    }

    private static double level(Counter counter, Map<String, String> settings, String key, double start) {
        String text = settings.get(key);
        if (text != null) {
            return CounterUnits.parse(counter, text);
        }
        if (Double.isNaN(start)) {
            throw new IllegalArgumentException(key + " is not set: expected both levels, for one would flap");
        }
        return start;
    }

    /**
     * The list of a configuration.
     *
     * @throws IllegalArgumentException if it is none; the message says what was expected
     */
    public static Thresholds parse(String list) {
        return new Thresholds(Arrays.stream(list.split(",", -1))
                .filter(part -> !part.isBlank())
                .map(ThresholdSettings::parseOne)
                .toList());
    }

    private static Threshold parseOne(String text) {
        String[] parts = text.strip().split("[=:]", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException(
                    "'" + text.strip() + "': expected counter=relieve:recover such as available-memory=100MiB:130MiB");
        }
        Counter counter = Counter.parse(parts[0].strip());
        return new Threshold(counter, CounterUnits.parse(counter, parts[1]), CounterUnits.parse(counter, parts[2]));
    }

    /** The list that {@link #parse} reads. */
    public static String text(Thresholds thresholds) {
        return thresholds.levels().stream()
                .map(level -> level.counter().label() + "=" + CounterUnits.text(level.counter(), level.relieve()) + ":"
                        + CounterUnits.text(level.counter(), level.recover()))
                .collect(Collectors.joining(","));
    }
}
