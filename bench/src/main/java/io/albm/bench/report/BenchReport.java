// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.report;

import io.albm.core.cli.Ansi;
import io.albm.core.cli.Table;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a side-by-side run. Everything in it was measured in that run.
 *
 * @param results each of ours against its peer
 * @param targets the bars that were set beforehand
 * @param environment what else a reader must know to judge the figures: machine, versions, load
 */
public record BenchReport(List<Result> results, List<Target> targets, Map<String, String> environment) {

    /**
     * One comparison.
     *
     * @param name what was measured, with its parameters
     * @param ours our figure
     * @param peer the peer's, from the same run
     * @param peerName who the peer is
     * @param ratio ours over peer's
     * @param unit of both figures
     * @param runs how many runs each figure is the mean of
     */
    public record Result(String name, double ours, double peer, String peerName, double ratio, String unit, int runs) {

        /** A comparison with its ratio; two equal figures, be they zero, have the ratio 1. */
        public static Result of(String name, double ours, double peer, String peerName, String unit, int runs) {
            return new Result(name, ours, peer, peerName, ours == peer ? 1 : ours / peer, unit, runs);
        }
    }

    /**
     * A bar.
     *
     * @param value what was reached
     * @param bar what must be reached
     * @param ok whether it was
     * @param reason why there is no value to be had; null if there is one
     */
    public record Target(
            String name,
            double value,
            double bar,
            boolean ok,
            @Nullable String reason) {

        /** A bar that the value must reach. */
        public static Target atLeast(String name, double value, double bar) {
            return new Target(name, value, bar, value >= bar, null);
        }

        /** A bar that the value must not exceed. */
        public static Target atMost(String name, double value, double bar) {
            return new Target(name, value, bar, value <= bar, null);
        }

        /** A bar of which nothing could be measured: it is missed. */
        public static Target failed(String name, double bar, String reason) {
            return new Target(name, 0, bar, false, reason);
        }

        private String verdict() {
            String word = ok ? "ok" : "MISSED";
            return reason == null ? word : word + ": " + reason;
        }
    }

    public BenchReport {
        results = List.copyOf(results);
        targets = List.copyOf(targets);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }

    /** A report that any machine would come to. */
    public BenchReport(List<Result> results, List<Target> targets) {
        this(results, targets, Map.of());
    }

    /** Whether every target was reached. */
    public boolean holds() {
        return targets.stream().allMatch(Target::ok);
    }

    /** Both lists as tables. */
    String text(Ansi ansi) {
        Table compared = Table.of("RESULT", "OURS", "PEER", "", "RATIO", "UNIT").right(1, 2, 4);
        results.forEach(result -> compared.row(
                result.name(),
                number(result.ours()),
                number(result.peer()),
                result.peerName(),
                number(result.ratio()),
                result.unit()));
        Table reached = Table.of("TARGET", "VALUE", "BAR", "").right(1, 2);
        targets.forEach(
                target -> reached.row(target.name(), number(target.value()), number(target.bar()), target.verdict()));
        return compared.render(ansi) + "\n" + reached.render(ansi) + surroundings();
    }

    private String surroundings() {
        return environment.entrySet().stream()
                .map(entry -> "%n%s: %s".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining("", "", environment.isEmpty() ? "" : "\n"));
    }

    private static String number(double value) {
        double magnitude = Math.abs(value);
        boolean wouldVanish = magnitude > 0 && magnitude < 0.001;
        return String.format(Locale.ROOT, wouldVanish ? "%.2e" : magnitude < 100 ? "%.3f" : "%.0f", value);
    }
}
