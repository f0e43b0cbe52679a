// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.report;

import io.albm.bench.report.BenchReport.Result;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All runs of an experiment in which variants take turns at each load.
 *
 * @param cells in the order in which they were made
 */
public record Runs<C extends Runs.Cell>(List<C> cells) {
    /** One run. */
    public interface Cell {
        /** Who took its turn. */
        String variant();

        /** Under how much load. */
        int load();

        /** Its figures, with commas between them. */
        String line();
    }

    public Runs {
        cells = List.copyOf(cells);
    }

    /** All of them as comma-separated values. */
    public String csv(String header) {
        return Stream.concat(Stream.of(header), cells.stream().map(Cell::line))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** In the order of their first runs. */
    public List<String> variants() {
        return cells.stream().map(Cell::variant).distinct().toList();
    }

    /** Rising. */
    public List<Integer> loads() {
        return cells.stream().map(Cell::load).distinct().sorted().toList();
    }

    /** Of a variant at a load. */
    public List<C> at(String variant, int load) {
        return cells.stream()
                .filter(cell -> cell.variant().equals(variant) && cell.load() == load)
                .toList();
    }

    /** Over the rounds. */
    public double median(String variant, int load, ToDoubleFunction<C> figure) {
        return Median.of(at(variant, load).stream().map(figure::applyAsDouble).toList());
    }

    /** Medians by load. */
    public SortedMap<Integer, Double> byLoad(String variant, ToDoubleFunction<C> figure) {
        return loads().stream()
                .collect(Collectors.toMap(
                        load -> load, load -> median(variant, load, figure), (one, _) -> one, TreeMap::new));
    }

    /**
     * A variant's median against another's at a load.
     *
     * @param name of the result
     */
    public Result against(
            String baseline, String variant, int load, String name, String unit, ToDoubleFunction<C> figure) {
        return Result.of(
                name + ", " + unit,
                median(variant, load, figure),
                median(baseline, load, figure),
                baseline,
                unit,
                at(variant, load).size());
    }
}
