// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.Median;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** All runs that count, and why others do not. */
final class Figures {
    private final Map<Measure, Map<String, List<Double>>> runs = new EnumMap<>(Measure.class);
    private final Map<Measure, Map<String, String>> failures = new EnumMap<>(Measure.class);
    private final Map<String, String> absent = new LinkedHashMap<>();

    /** A run. */
    void add(Measure measure, String contender, double figure) {
        runs.computeIfAbsent(measure, _ -> new LinkedHashMap<>())
                .computeIfAbsent(contender, _ -> new ArrayList<>())
                .add(figure);
    }

    /** A run that does not count. */
    void fail(Measure measure, String contender, String reason) {
        failures.computeIfAbsent(measure, _ -> new LinkedHashMap<>()).put(contender, reason);
    }

    /** A contender that takes no part. */
    void absent(String contender, String reason) {
        absent.put(contender, reason);
    }

    /** Of all its runs that count. */
    Optional<Double> median(Measure measure, String contender) {
        return Optional.ofNullable(contenders(measure).get(contender)).map(Median::of);
    }

    /** Ours over the peer's, if both have a figure. */
    Optional<Double> ratio(Measure measure, String peer) {
        return median(measure, AlbmStorage.NAME)
                .flatMap(ours -> median(measure, peer).map(theirs -> ours / theirs));
    }

    /** Why there is none. */
    String whyNoRatio(Measure measure, String peer) {
        String who = median(measure, AlbmStorage.NAME).isEmpty() ? AlbmStorage.NAME : peer;
        Map<String, String> failed = failures.getOrDefault(measure, Map.of());
        return who + " was not measured: " + failed.getOrDefault(who, absent.getOrDefault(who, "it took no part"));
    }

    /** Ours against each other contender, measure by measure. */
    List<Result> results() {
        List<Result> results = new ArrayList<>();
        runs.forEach((measure, contenders) -> median(measure, AlbmStorage.NAME)
                .ifPresent(ours -> contenders.forEach((name, figures) -> {
                    if (!name.equals(AlbmStorage.NAME)) {
                        results.add(Result.of(
                                measure.text(), ours, Median.of(figures), name, measure.unit(), figures.size()));
                    }
                })));
        return results;
    }

    /** Everything that has no line among the results, or fewer runs than it should: who, and why. */
    Map<String, String> notes() {
        Map<String, String> notes = new LinkedHashMap<>();
        absent.forEach((name, reason) -> notes.put(name + " took no part", reason));
        failures.forEach((measure, reasons) -> reasons.forEach((name, reason) -> {
            String others =
                    name.equals(AlbmStorage.NAME) && median(measure, name).isEmpty() ? others(measure) : "";
            int counted = contenders(measure).getOrDefault(name, List.of()).size();
            notes.put(measure.text() + " of " + name, counted + " runs count: " + reason + others);
        }));
        return notes;
    }

    private String others(Measure measure) {
        return contenders(measure).entrySet().stream()
                .map(each -> String.format(
                        Locale.ROOT, "%s %.0f %s", each.getKey(), Median.of(each.getValue()), measure.unit()))
                .collect(Collectors.joining(", ", "; the others: ", ""));
    }

    private Map<String, List<Double>> contenders(Measure measure) {
        return runs.getOrDefault(measure, Map.of());
    }
}
