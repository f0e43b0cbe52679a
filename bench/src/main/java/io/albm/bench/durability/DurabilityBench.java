// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code albm bench storage-durability}: what each layout of the striped storage is worth in a large cluster. */
@Command(
        name = "storage-durability",
        description = {
            "Simulates storage nodes that fail and are rebuilt, over the placement that production chooses, and says for each"
                    + " layout how probably data is lost within a year, how long a rebuild takes and what it moves.",
            "Layouts are K data units and M parity units, e.g. 4+2, and copies of what one unit holds. A rebuild is 'in-place',"
                    + " when one replacement takes everything, or has 'many-takers', when all others take a share. Data is"
                    + " lost when more than M nodes of any segment are down at once.",
            "Results are named LAYOUT/FIGURE, many-takers against in-place; /low and /high are a 95 %% confidence interval."
                    + " Targets: what moves when a node joins or leaves. docs/scale.md has the model and its limits."
        })
public final class DurabilityBench extends BenchCommand {
    @Mixin
    private DurabilityOptions options = new DurabilityOptions();

    @Override
    protected BenchReport measure(boolean shorter) throws InterruptedException, ExecutionException {
        ClusterModel cluster = options.cluster();
        int segments = options.segments(shorter);
        int years = options.years(shorter);
        PlacedSegments placed = PlacedSegments.place(cluster.nodes(), segments, Layout.WIDEST.width(), options.seed());
        System.err.printf(Locale.ROOT, "%,d segments on %,d nodes%n", segments, cluster.nodes());
        Movement movement = Movement.of(placed, cluster.nodes(), Layout.WIDEST.geometry());
        List<Durability> all = simulate(cluster, placed, years);
        System.err.print(new DurabilityTable(all).text());
        return new DurabilityReport(cluster, options.simulated(shorter), years, movement, all).report();
    }

    @Override
    protected BenchReport shown(BenchReport report) {
        return DurabilityReport.shown(report);
    }

    private List<Durability> simulate(ClusterModel cluster, PlacedSegments placed, int years)
            throws InterruptedException, ExecutionException {
        try (ExecutorService processors =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            List<Future<Durability>> started = new ArrayList<>();
            for (Layout layout : Layout.ALL) {
                for (RebuildMode mode : RebuildMode.values()) {
                    Scenario scenario = new Scenario(cluster, layout, mode, options.transferTimes());
                    started.add(processors.submit(() -> Durability.simulate(
                            scenario,
                            new CriticalSegments(placed.nodes(), cluster.nodes(), layout),
                            years,
                            options.seed())));
                }
            }
            List<Durability> done = new ArrayList<>();
            for (Future<Durability> each : started) {
                done.add(each.get());
            }
            return done;
        }
    }
}
