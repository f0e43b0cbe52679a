// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.report.BarChart;
import io.albm.bench.report.BarChart.Bars;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** What bonnie++ found, beside the paper's tables: machines of another age are compared by their shares of the local disk. */
final class BonnieTables {
    private static final String OF_DISK = "of the local disk";

    private final Figures figures;
    private final String disk;

    /**
     * @param disk name of the local disk's volume
     */
    BonnieTables(Figures figures, String disk) {
        this.figures = figures;
        this.disk = disk;
    }

    /** Ours against all others, and our share of the local disk against the paper's. */
    BenchReport report(Map<String, String> surroundings) {
        List<Result> results = new ArrayList<>(figures.results());
        for (BonnieMetric metric : BonnieMetric.values()) {
            share(metric, AlbmStorage.NAME).ifPresent(ours -> {
                results.add(paper(metric, ours, "PVFS in P5", metric.paperPvfs()));
                results.add(paper(metric, ours, "NFS in P5", metric.paperNfs()));
            });
        }
        List<Target> targets = List.of(
                figures.judge("rewrite-vs-shard", List.of(BonnieMetric.REWRITE), Gluster.SHARD, 1),
                figures.judge("rewrite-vs-moosefs", List.of(BonnieMetric.REWRITE), MooseFs.NAME, 5));
        return new BenchReport(results, targets, surroundings);
    }

    private static Result paper(BonnieMetric metric, double ours, String name, double figure) {
        return Result.of(metric.text() + ", share", ours, figure / metric.paperDisk(), name, OF_DISK, 1);
    }

    private Optional<Double> share(BonnieMetric metric, String contender) {
        return figures.median(metric, contender)
                .flatMap(rate -> figures.median(metric, disk).map(local -> rate / local));
    }

    /** Everybody's share of the local disk, the paper's as well. */
    String chart() {
        List<Bars> all = new ArrayList<>();
        for (String contender : figures.contenders()) {
            if (!contender.equals(disk)) {
                Map<String, Double> shares = new LinkedHashMap<>();
                for (BonnieMetric metric : BonnieMetric.values()) {
                    share(metric, contender).ifPresent(share -> shares.put(metric.text(), share));
                }
                all.add(new Bars(contender, shares));
            }
        }
        all.add(paper("PVFS in P5", BonnieMetric::paperPvfs));
        all.add(paper("NFS in P5", BonnieMetric::paperNfs));
        return BarChart.svg("bonnie++: share of the local disk", all);
    }

    private static Bars paper(String name, ToDoubleFunction<BonnieMetric> figure) {
        Map<String, Double> shares = new LinkedHashMap<>();
        for (BonnieMetric metric : BonnieMetric.values()) {
            shares.put(metric.text(), figure.applyAsDouble(metric) / metric.paperDisk());
        }
        return new Bars(name, shares);
    }
}
