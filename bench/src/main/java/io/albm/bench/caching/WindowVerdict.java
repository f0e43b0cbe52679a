// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.caching;

import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import io.albm.bench.report.LineChart;
import io.albm.bench.report.LineChart.Line;
import io.albm.bench.report.Runs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** What the runs say about the bars that were set: medians of the rounds, against plain LRU. */
final class WindowVerdict {
    static final String OURS = "window-aware";
    static final String BASELINE = "lru";
    private static final double MORE_REQUESTS = 1.15;

    private final Runs<WindowCell> runs;

    private WindowVerdict(Runs<WindowCell> runs) {
        this.runs = runs;
    }

    /**
     * Of these runs.
     *
     * @param whyNotSlow why the disk was not slow; empty if it was
     */
    static BenchReport of(Runs<WindowCell> runs, Optional<String> whyNotSlow, Map<String, String> environment) {
        WindowVerdict verdict = new WindowVerdict(runs);
        return new BenchReport(
                verdict.results(), whyNotSlow.map(verdict::missed).orElseGet(verdict::targets), environment);
    }

    private List<Result> results() {
        List<Result> results = new ArrayList<>();
        for (int users : runs.loads()) {
            for (String policy : runs.variants()) {
                if (!policy.equals(BASELINE)) {
                    results.add(result(policy, users, "requests/s", WindowCell::requestsPerSecond));
                    results.add(result(policy, users, "ms mean", WindowCell::meanMillis));
                    results.add(result(policy, users, "ms p99", WindowCell::p99Millis));
                    results.add(result(policy, users, "object hit ratio", WindowCell::objectHitRatio));
                }
            }
        }
        return results;
    }

    private Result result(String policy, int users, String unit, ToDoubleFunction<WindowCell> figure) {
        return runs.against(BASELINE, policy, users, "%s, %d users".formatted(policy, users), unit, figure);
    }

    private List<Target> targets() {
        if (!runs.variants().containsAll(List.of(OURS, BASELINE))) {
            return missed("needs both " + OURS + " and " + BASELINE);
        }
        List<Target> targets = new ArrayList<>();
        int most = runs.loads().getLast();
        targets.add(Target.atLeast(
                requestsTarget(most), over(OURS, BASELINE, most, WindowCell::requestsPerSecond), MORE_REQUESTS));
        for (int users : runs.loads()) {
            targets.add(Target.atLeast(timeTarget(users), over(BASELINE, OURS, users, WindowCell::meanMillis), 1));
        }
        targets.add(Target.atMost(
                "failed requests",
                (double) runs.cells().stream().mapToLong(WindowCell::failed).sum(),
                0));
        return targets;
    }

    private List<Target> missed(String reason) {
        List<Target> targets = new ArrayList<>();
        targets.add(Target.failed(requestsTarget(runs.loads().getLast()), MORE_REQUESTS, reason));
        runs.loads().forEach(users -> targets.add(Target.failed(timeTarget(users), 1, reason)));
        return targets;
    }

    private static String requestsTarget(int users) {
        return "requests/s over lru, %d users".formatted(users);
    }

    private static String timeTarget(int users) {
        return "lru's response time over ours, %d users".formatted(users);
    }

    private double over(String one, String other, int users, ToDoubleFunction<WindowCell> figure) {
        return runs.median(one, users, figure) / runs.median(other, users, figure);
    }

    /** Paper P2's figure 6: requests a second against users. */
    static String figure6(Runs<WindowCell> runs) {
        return chart("Requests a second, by user equivalents", runs, WindowCell::requestsPerSecond);
    }

    /** Paper P2's figure 7: mean response time against users. */
    static String figure7(Runs<WindowCell> runs) {
        return chart("Mean response time in ms, by user equivalents", runs, WindowCell::meanMillis);
    }

    private static String chart(String title, Runs<WindowCell> runs, ToDoubleFunction<WindowCell> figure) {
        return LineChart.svg(
                title,
                runs.variants().stream()
                        .map(policy -> new Line(policy, policy.equals(BASELINE), runs.byLoad(policy, figure)))
                        .toList());
    }
}
