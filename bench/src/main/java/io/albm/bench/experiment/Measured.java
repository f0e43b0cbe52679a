// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.bench.report.LineChart;
import io.albm.bench.report.Runs;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * All runs of the experiment.
 *
 * @param runs in the order in which they were made
 * @param rivals which variants are not ours
 */
record Measured(Runs<Cell> runs, Set<String> rivals) {
    Measured {
        rivals = Set.copyOf(rivals);
    }

    Measured(List<Cell> cells, Set<String> rivals) {
        this(new Runs<>(cells), rivals);
    }

    List<Cell> cells() {
        return runs.cells();
    }

    List<String> variants() {
        return runs.variants();
    }

    boolean isRival(String variant) {
        return rivals.contains(variant);
    }

    int highestLoad() {
        return runs.loads().getLast();
    }

    /** Median over the rounds at the highest load. */
    double atHighestLoad(String variant, ToDoubleFunction<Cell> figure) {
        return runs.median(variant, highestLoad(), figure);
    }

    /** Failed requests of all runs of a variant. */
    long failed(String variant) {
        return cells().stream()
                .filter(cell -> cell.variant().equals(variant))
                .mapToLong(Cell::failed)
                .sum();
    }

    /** Paper P1's figure 4: goodput against clients. */
    String figure4() {
        return LineChart.svg(
                "Requests a second answered within 4 s, by clients",
                variants().stream()
                        .map(variant ->
                                new LineChart.Line(variant, isRival(variant), runs.byLoad(variant, Cell::goodput)))
                        .toList());
    }
}
