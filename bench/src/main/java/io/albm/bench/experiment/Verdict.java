// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the runs say about the bars that were set: at the highest load, medians of its rounds. */
final class Verdict {
    private static final String OURS = "albm";
    private static final String BASELINE = "round-robin";
    private static final double OVER_ROUND_ROBIN = 1.2;
    private static final String GOODPUT_OVER_ROUND_ROBIN = "albm goodput over round-robin";
    private static final String GOODPUT_OVER_HAPROXY = "albm goodput over haproxy's best";
    private static final String FAILED = "albm failed requests";

    private final Measured measured;

    private Verdict(Measured measured) {
        this.measured = measured;
    }

    static BenchReport of(Measured measured, Map<String, String> environment) {
        Verdict verdict = new Verdict(measured);
        return new BenchReport(verdict.results(), verdict.targets(), environment);
    }

    private List<Result> results() {
        String best = best().orElse(BASELINE);
        return measured.variants().stream()
                .filter(variant -> !variant.equals(best))
                .map(variant -> Result.of(
                        "%s, %d clients".formatted(variant, measured.highestLoad()),
                        goodput(variant),
                        goodput(best),
                        best,
                        "good requests/s",
                        (int) measured.cells().stream()
                                .filter(cell ->
                                        cell.variant().equals(variant) && cell.clients() == measured.highestLoad())
                                .count()))
                .toList();
    }

    private List<Target> targets() {
        if (!measured.variants().contains(OURS)) {
            String reason = "the distributor has no policy 'albm' yet, or it was left out";
            return List.of(
                    Target.failed(GOODPUT_OVER_ROUND_ROBIN, OVER_ROUND_ROBIN, reason),
                    Target.failed(GOODPUT_OVER_HAPROXY, 1, reason),
                    Target.failed(FAILED, 0, reason));
        }
        return List.of(
                over(GOODPUT_OVER_ROUND_ROBIN, BASELINE, OVER_ROUND_ROBIN),
                best().map(best -> over(GOODPUT_OVER_HAPROXY, best, 1))
                        .orElseGet(() -> Target.failed(GOODPUT_OVER_HAPROXY, 1, "haproxy took no part")),
                Target.atMost(FAILED, (double) measured.failed(OURS), 0));
    }

    private Target over(String name, String variant, double bar) {
        return measured.variants().contains(variant)
                ? Target.atLeast(name, goodput(OURS) / goodput(variant), bar)
                : Target.failed(name, bar, variant + " took no part");
    }

    private Optional<String> best() {
        return measured.variants().stream().filter(measured::isRival).max(Comparator.comparingDouble(this::goodput));
    }

    private double goodput(String variant) {
        return measured.atHighestLoad(variant, Cell::goodput);
    }
}
