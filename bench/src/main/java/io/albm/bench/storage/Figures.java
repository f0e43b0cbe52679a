// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import io.albm.bench.report.Median;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** All runs that count, and why others do not. */
final class Figures {
    private final Map<Metric, Map<String, List<Double>>> runs = new LinkedHashMap<>();
    private final Map<Metric, Map<String, String>> failures = new LinkedHashMap<>();
    private final Map<String, String> absent = new LinkedHashMap<>();

    /** A run. */
    void add(Metric metric, String contender, double figure) {
        runs.computeIfAbsent(metric, _ -> new LinkedHashMap<>())
                .computeIfAbsent(contender, _ -> new ArrayList<>())
                .add(figure);
    }

    /** A run that does not count. */
    void fail(Metric metric, String contender, String reason) {
        failures.computeIfAbsent(metric, _ -> new LinkedHashMap<>()).put(contender, reason);
    }

    /** A contender that takes no part. */
    void absent(String contender, String reason) {
        absent.put(contender, reason);
    }

    /** Of all its runs that count. */
    Optional<Double> median(Metric metric, String contender) {
        return Optional.ofNullable(contenders(metric).get(contender)).map(Median::of);
    }

    /** Ours over the peer's, if both have a figure. */
    Optional<Double> ratio(Metric metric, String peer) {
        return median(metric, AlbmStorage.NAME)
                .flatMap(ours -> median(metric, peer).map(theirs -> ours / theirs));
    }

    /** Why there is none. */
    String whyNoRatio(Metric metric, String peer) {
        String who = median(metric, AlbmStorage.NAME).isEmpty() ? AlbmStorage.NAME : peer;
        Map<String, String> failed = failures.getOrDefault(metric, Map.of());
        return who + " was not measured: " + failed.getOrDefault(who, absent.getOrDefault(who, "it took no part"));
    }

    /** Who has any figure, in the order of their first runs. */
    List<String> contenders() {
        return runs.values().stream()
                .flatMap(figures -> figures.keySet().stream())
                .distinct()
                .toList();
    }

    /** All runs that count as comma-separated values. */
    String csv() {
        StringBuilder lines = new StringBuilder("metric,unit,contender,figure\n");
        runs.forEach((metric, contenders) -> contenders.forEach((name, figures) -> figures.forEach(
                figure -> lines.append("%s,%s,%s,%s%n".formatted(metric.text(), metric.unit(), name, figure)))));
        return lines.toString();
    }

    /**
     * Whether ours over the peer's reaches a bar in each metric; missed, with the reason, if one of them has no figure.
     *
     * @param target as in the report
     */
    Target judge(String target, List<? extends Metric> metrics, String peer, double bar) {
        double least = Double.POSITIVE_INFINITY;
        for (Metric metric : metrics) {
            Optional<Double> ratio = ratio(metric, peer);
            if (ratio.isEmpty()) {
                return Target.failed(target, bar, metric.text() + ": " + whyNoRatio(metric, peer));
            }
            least = Math.min(least, ratio.get());
        }
        return Target.atLeast(target, least, bar);
    }

    /** Ours against each other contender, metric by metric. */
    List<Result> results() {
        List<Result> results = new ArrayList<>();
        runs.forEach((metric, contenders) -> median(metric, AlbmStorage.NAME)
                .ifPresent(ours -> contenders.forEach((name, figures) -> {
                    if (!name.equals(AlbmStorage.NAME)) {
                        results.add(Result.of(
                                metric.text(), ours, Median.of(figures), name, metric.unit(), figures.size()));
                    }
                })));
        return results;
    }

    /** Everything that has no line among the results, or fewer runs than it should: who, and why. */
    Map<String, String> notes() {
        Map<String, String> notes = new LinkedHashMap<>();
        absent.forEach((name, reason) -> notes.put(name + " took no part", reason));
        failures.forEach((metric, reasons) -> reasons.forEach((name, reason) -> {
            String others =
                    name.equals(AlbmStorage.NAME) && median(metric, name).isEmpty() ? others(metric) : "";
            int counted = contenders(metric).getOrDefault(name, List.of()).size();
            notes.put(metric.text() + " of " + name, counted + " runs count: " + reason + others);
        }));
        return notes;
    }

    private String others(Metric metric) {
        return contenders(metric).entrySet().stream()
                .map(each -> String.format(
                        Locale.ROOT, "%s %.0f %s", each.getKey(), Median.of(each.getValue()), metric.unit()))
                .collect(Collectors.joining(", ", "; the others: ", ""));
    }

    private Map<String, List<Double>> contenders(Metric metric) {
        return runs.getOrDefault(metric, Map.of());
    }
}
