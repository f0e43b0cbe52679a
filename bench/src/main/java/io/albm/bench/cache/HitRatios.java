// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import io.albm.bench.report.BenchReport.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The means of one or several traces by cell. Every trace weighs the same, however long it is.
 *
 * @param prefix before the names of its results: empty for the mean, {@code TRACE/} for one trace
 * @param traces how many
 */
record HitRatios(String prefix, int traces, Map<Cell, Double> objects, Map<Cell, Double> bytes) {

    private static final String BYTES = "/bytes";

    static HitRatios mean(String prefix, List<Map<Cell, Served>> traces) {
        return new HitRatios(
                prefix, traces.size(), mean(traces, Served::objectHitRatio), mean(traces, Served::byteHitRatio));
    }

    private static Map<Cell, Double> mean(List<Map<Cell, Served>> traces, ToDoubleFunction<Served> ratio) {
        Map<Cell, Double> sums = new LinkedHashMap<>();
        for (Map<Cell, Served> trace : traces) {
            trace.forEach((cell, served) -> sums.merge(cell, ratio.applyAsDouble(served) / traces.size(), Double::sum));
        }
        return sums;
    }

    /** The object hit ratio of a cell that was simulated. */
    double objects(Cell cell) {
        Double ratio = objects.get(cell);
        if (ratio == null) {
            throw new IllegalArgumentException(cell.name() + " was not simulated");
        }
        return ratio;
    }

    /** Disk reads of one cell over those of another one, both for the same requests. */
    double reads(Cell cell, Cell peer) {
        double theirs = 1 - objects(peer);
        return theirs == 0 ? 1 : (1 - objects(cell)) / theirs;
    }

    /** Each cell beside plain LRU, by objects and by bytes. */
    List<Result> results() {
        List<Result> results = new ArrayList<>();
        objects.keySet().forEach(cell -> results.add(result(cell, "", objects, "object hit ratio")));
        bytes.keySet().forEach(cell -> results.add(result(cell, BYTES, bytes, "byte hit ratio")));
        return results;
    }

    private Result result(Cell cell, String suffix, Map<Cell, Double> ratios, String unit) {
        double ours = ratios.getOrDefault(cell, Double.NaN);
        double peer = ratios.getOrDefault(cell.of(CacheGrid.BASE), Double.NaN);
        return Result.of(prefix + cell.name() + suffix, ours, peer, CacheGrid.BASE, unit, traces);
    }
}
