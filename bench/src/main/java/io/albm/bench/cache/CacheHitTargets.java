// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import io.albm.bench.report.BenchReport.Target;
import java.util.ArrayList;
import java.util.List;

/** The bars for {@code window-aware}, all of them for the mean of the traces. */
record CacheHitTargets(HitRatios mean) {

    private static final double POINTS_OVER_LRU = 3;
    private static final double POINTS_OVER_CAFFEINE = 2;
    private static final double MOST_READS = 0.65;
    private static final int[] WIDE_WINDOWS = {256, 400, 1024};

    List<Target> all() {
        List<Target> targets = new ArrayList<>();
        targets.add(floor(CacheSize.ONE_PERCENT, 64, 0.72));
        targets.add(floor(CacheSize.ONE_PERCENT, 400, 0.74));
        targets.add(floor(CacheSize.TEN_PERCENT, 64, 0.86));
        for (CacheSize size : CacheSize.ALL) {
            for (int window : CacheGrid.WINDOWS) {
                Cell ours = ours(size, window, InOrderSimulation.MODE);
                targets.add(lead(ours, CacheGrid.BASE, POINTS_OVER_LRU));
                targets.add(lead(ours, CacheGrid.BEST_KNOWN, POINTS_OVER_CAFFEINE));
            }
        }
        for (int window : WIDE_WINDOWS) {
            targets.add(reads(window));
        }
        return targets;
    }

    private static Cell ours(CacheSize size, int window, String mode) {
        return new Cell(CacheGrid.OURS, size, window, mode);
    }

    private Target floor(CacheSize size, int window, double bar) {
        Cell cell = ours(size, window, InOrderSimulation.MODE);
        return Target.atLeast(cell.name(), mean.objects(cell), bar);
    }

    private Target lead(Cell ours, String peer, double bar) {
        double points = 100 * (mean.objects(ours) - mean.objects(ours.of(peer)));
        return Target.atLeast(ours.policy() + " minus " + peer + ", points/" + ours.place(), points, bar);
    }

    /** Like for like: the paper's policy has its hits answered at once and its reads shared, too. */
    private Target reads(int window) {
        Cell ours = ours(CacheSize.ONE_PERCENT, window, ReadOrder.OLDEST_FIRST.mode());
        Cell papers = ours.of(CacheGrid.PAPERS);
        return Target.atMost(
                "reads of " + ours.name() + " over " + papers.name(), mean.reads(ours, papers), MOST_READS);
    }
}
