// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.core.config.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * All layouts with many takers against the same in place, and what moved.
 *
 * @param simulated what else a reader must know to get the same figures
 * @param years that were simulated for each
 * @param all each layout under each way to rebuild
 */
record DurabilityReport(ClusterModel cluster, String simulated, int years, Movement movement, List<Durability> all) {
    private static final String LOSS = "/loss per year";
    private static final String PROBABILITY = "probability";

    BenchReport report() {
        List<Result> results = new ArrayList<>();
        Layout.ALL.forEach(layout -> add(results, layout));
        results.addAll(movement.results());
        return new BenchReport(results, movement.targets(), environment());
    }

    private void add(List<Result> results, Layout layout) {
        results.add(result(layout, LOSS, PROBABILITY, each -> each.loss().mean()));
        results.add(
                result(layout, LOSS + "/low", PROBABILITY, each -> each.loss().low()));
        results.add(
                result(layout, LOSS + "/high", PROBABILITY, each -> each.loss().high()));
        results.add(result(layout, "/lost by the first loss", "segments", Durability::segmentsPerLoss));
        if (layout.isRebuilt()) {
            results.add(result(layout, "/rebuild", "h, mean", Durability::rebuildMeanHours));
            results.add(result(layout, "/rebuild/p99", "h", Durability::rebuildP99Hours));
            results.add(result(layout, "/rebuild traffic", "TiB/day", Durability::rebuildTebibytesPerDay));
        }
    }

    private Result result(Layout layout, String figure, String unit, ToDoubleFunction<Durability> value) {
        return Result.of(
                layout.name() + figure,
                value.applyAsDouble(of(layout, RebuildMode.MANY_TAKERS)),
                value.applyAsDouble(of(layout, RebuildMode.IN_PLACE)),
                RebuildMode.IN_PLACE.label(),
                unit,
                years);
    }

    private Durability of(Layout layout, RebuildMode mode) {
        return all.stream()
                .filter(each -> each.scenario().layout().equals(layout)
                        && each.scenario().mode() == mode)
                .findFirst()
                .orElseThrow();
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put(
                "cluster",
                String.format(
                        Locale.ROOT,
                        "%,d nodes, MTBF %,.0f h, %s each, disk %s/s, network %s/s, delay %.2f h",
                        cluster.nodes(),
                        cluster.mtbfHours(),
                        Units.rounded(cluster.bytesPerNode()),
                        Units.rounded(cluster.diskBytesPerSecond()),
                        Units.rounded(cluster.networkBytesPerSecond()),
                        cluster.delayHours()));
        environment.put("simulated", simulated);
        environment.put("ours", RebuildMode.MANY_TAKERS.label());
        return environment;
    }

    /** What fits on a screen: losses and movement. The rest is in the table. */
    static BenchReport shown(BenchReport report) {
        return new BenchReport(
                report.results().stream()
                        .filter(result -> result.name().endsWith(LOSS) || Movement.isOne(result))
                        .toList(),
                report.targets(),
                report.environment());
    }
}
