// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

import io.albm.bench.report.LineChart;
import io.albm.bench.report.LineChart.Line;
import io.albm.bench.report.Runs;
import io.albm.checkpoint.strategy.Politeness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * P3's figures 3 to 6 by simulation: its 16 I/O nodes of 100 Mbit, ranks of 20 MB, and as many of them as it had virtual nodes and
 * more. Ports and links are fluids, so this says what a scheme's turns are worth, and nothing about losses.
 */
final class PaperFigures {
    private static final int IO_NODES = 16;
    private static final long STATE_BYTES = 20_000_000;
    private static final List<Integer> LOADS = List.of(0, 25, 50, 80);
    private static final List<Integer> RANKS = List.of(16, 64, 512, 1000, 10_000);

    /** As many virtual nodes as P3 had. */
    private static final int CHARTED = 512;

    private static final List<Scheme> SCHEMES = List.of(
            new Scheme("striped-4", "striped", 4, Politeness.POLITE),
            new Scheme("striped-16", "striped", 16, Politeness.POLITE),
            new Scheme("multistriped", "multistriped", 16, Politeness.POLITE),
            new Scheme("credit-window", "credit-window", 16, Politeness.POLITE),
            new Scheme("credit-window-fast", "credit-window", 16, Politeness.FAST));

    private final List<FigureCell> cells;

    private record Scheme(String name, String strategy, int groupSize, Politeness politeness) {}

    private PaperFigures(List<FigureCell> cells) {
        this.cells = cells;
    }

    /** @param most ranks */
    static PaperFigures simulate(int most) {
        List<FigureCell> cells = new ArrayList<>();
        for (int ranks : RANKS.stream().filter(ranks -> ranks <= most).toList()) {
            for (int load : LOADS) {
                for (Scheme scheme : SCHEMES) {
                    Job job = new Job(
                            ranks,
                            STATE_BYTES,
                            scheme.strategy(),
                            scheme.groupSize(),
                            scheme.politeness(),
                            Links.ofThePaper(IO_NODES, load / 100.0));
                    CheckpointCost cost = new SimulatedCluster(job).checkpoint();
                    cells.add(FigureCell.of(scheme.name(), load, ranks, cost.entry()));
                }
            }
        }
        return new PaperFigures(cells);
    }

    /** Files by name. */
    Map<String, String> files() {
        return Map.of(
                "figures.csv",
                new Runs<>(cells).csv(FigureCell.HEADER),
                "figure3.svg",
                chart("Response time, s, by load in %", FigureCell::seconds),
                "figure4.svg",
                chart("Throughput, MB/s, by load in %", FigureCell::megabytesPerSecond),
                "figure5.svg",
                chart("Total run time, s, by load in %", FigureCell::totalRunSeconds),
                "figure6.svg",
                chart("Ratio_Checkpoint, %, by load in %", cell -> 100 * cell.ratioCheckpoint()));
    }

    private String chart(String title, ToDoubleFunction<FigureCell> figure) {
        Runs<FigureCell> drawn = new Runs<>(
                cells.stream().filter(cell -> cell.ranks() == CHARTED).toList());
        return LineChart.svg(
                title + ", " + CHARTED + " ranks",
                drawn.variants().stream()
                        .map(scheme -> new Line(scheme, scheme.startsWith("striped"), drawn.byLoad(scheme, figure)))
                        .toList());
    }
}
