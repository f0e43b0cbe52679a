// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.bench.report.Median;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * All runs of the experiment.
 *
 * @param cells in the order in which they were made
 * @param rivals which variants are not ours
 */
record Measured(List<Cell> cells, Set<String> rivals) {
    Measured {
        cells = List.copyOf(cells);
        rivals = Set.copyOf(rivals);
    }

    /** In the order of their first runs. */
    List<String> variants() {
        return cells.stream().map(Cell::variant).distinct().toList();
    }

    boolean isRival(String variant) {
        return rivals.contains(variant);
    }

    /** Numbers of clients, rising. */
    List<Integer> loads() {
        return cells.stream().map(Cell::clients).distinct().sorted().toList();
    }

    int highestLoad() {
        return loads().getLast();
    }

    double highestGoodput() {
        return cells.stream().mapToDouble(Cell::goodput).max().orElse(0);
    }

    /** Median over the rounds. */
    SortedMap<Integer, Double> goodputByClients(String variant) {
        return loads().stream()
                .collect(Collectors.toMap(
                        clients -> clients,
                        clients -> median(variant, clients, Cell::goodput),
                        (one, _) -> one,
                        TreeMap::new));
    }

    /** Median over the rounds at the highest load. */
    double atHighestLoad(String variant, ToDoubleFunction<Cell> figure) {
        return median(variant, highestLoad(), figure);
    }

    private double median(String variant, int clients, ToDoubleFunction<Cell> figure) {
        return Median.of(select(cell -> cell.variant().equals(variant) && cell.clients() == clients).stream()
                .map(figure::applyAsDouble)
                .toList());
    }

    /** Failed requests of all runs of a variant. */
    long failed(String variant) {
        return select(cell -> cell.variant().equals(variant)).stream()
                .mapToLong(Cell::failed)
                .sum();
    }

    private List<Cell> select(Predicate<Cell> which) {
        return cells.stream().filter(which).toList();
    }
}
