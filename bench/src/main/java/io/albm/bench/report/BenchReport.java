// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.report;

import io.albm.core.cli.Ansi;
import io.albm.core.cli.Table;
import java.util.List;
import java.util.Locale;

/**
 * The outcome of a side-by-side run. Everything in it was measured in that run.
 *
 * @param results each of ours against its peer
 * @param targets the bars that were set beforehand
 */
public record BenchReport(List<Result> results, List<Target> targets) {

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
     */
    public record Target(String name, double value, double bar, boolean ok) {

        /** A bar that the value must reach. */
        public static Target atLeast(String name, double value, double bar) {
            return new Target(name, value, bar, value >= bar);
        }

        /** A bar that the value must not exceed. */
        public static Target atMost(String name, double value, double bar) {
            return new Target(name, value, bar, value <= bar);
        }
    }

    public BenchReport {
        results = List.copyOf(results);
        targets = List.copyOf(targets);
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
        targets.forEach(target -> reached.row(
                target.name(), number(target.value()), number(target.bar()), target.ok() ? "ok" : "MISSED"));
        return compared.render(ansi) + "\n" + reached.render(ansi);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.3f" : "%.0f", value);
    }
}
