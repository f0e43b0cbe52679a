// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

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

/** What the runs say about the bars that were set: medians of the rounds. */
final class StripeVerdict {
    static final String SECONDS = "s";

    private static final double OVER_PLAIN_TCP = 1.06;
    private static final double OF_BISECTION = 0.72;
    private static final double OVER_GROUPS_OF_FOUR = 3;
    private static final double OVER_ALL_AT_ONCE = 1.25;
    private static final double OVER_MULTISTRIPED = 1.6;
    private static final double POLITE_P50_MILLIS = 0.1;
    private static final double POLITE_P99_MILLIS = 6;
    private static final double POLITE_MORE_TIME = 1.1;
    private static final double OVER_BEST_FIXED = 1.15;

    private final Runs<StripeCell> runs;

    private StripeVerdict(List<StripeCell> cells) {
        this.runs = new Runs<>(cells);
    }

    static BenchReport of(List<StripeCell> cells, Map<String, String> environment) {
        StripeVerdict verdict = new StripeVerdict(cells);
        return new BenchReport(verdict.results(), verdict.targets(), environment);
    }

    private List<Scene> scenes() {
        return runs.cells().stream().map(StripeCell::scene).distinct().toList();
    }

    private Runs<StripeCell> in(Scene scene) {
        return new Runs<>(
                runs.cells().stream().filter(cell -> cell.scene().equals(scene)).toList());
    }

    private List<Result> results() {
        List<Result> results = new ArrayList<>();
        for (Scene scene : scenes()) {
            for (String scheme : runs.variants()) {
                if (!scheme.equals(PlainTcp.NAME)
                        && !in(scene).at(scheme, load(scene)).isEmpty()) {
                    results.add(result(scene, scheme, SECONDS, StripeCell::seconds));
                    results.add(result(scene, scheme, "segments sent again", StripeCell::retransmitted));
                    results.add(result(scene, scheme, "ms bystander's p50", StripeCell::p50Millis));
                    results.add(result(scene, scheme, "ms bystander's p99", StripeCell::p99Millis));
                }
            }
        }
        return results;
    }

    private Result result(Scene scene, String scheme, String unit, ToDoubleFunction<StripeCell> figure) {
        return in(scene).against(PlainTcp.NAME, scheme, load(scene), scheme + ", " + scene.text(), unit, figure);
    }

    private static int load(Scene scene) {
        return scene.load().percent();
    }

    private List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        for (String scheme : runs.variants()) {
            if (!scheme.equals(PlainTcp.NAME)) {
                String name = scheme + "'s time over plain TCP's, one port";
                targets.add(scene(1, Load.NONE, scheme, PlainTcp.NAME)
                        .map(scene -> Target.atMost(name, ratio(scene, scheme, PlainTcp.NAME), OVER_PLAIN_TCP))
                        .orElseGet(() -> leftOut(name, OVER_PLAIN_TCP)));
            }
        }
        if (runs.variants().contains(Scheme.FAST)) {
            targets.addAll(allToAll());
            targets.addAll(loaded());
            targets.addAll(polite());
            targets.add(grid());
        }
        return targets;
    }

    private static Target leftOut(String name, double bar) {
        return Target.failed(name, bar, "what it takes was not measured");
    }

    private List<Target> allToAll() {
        String bisection = Scheme.FAST + ", share of the bisection, all to all";
        String four = Scheme.FOUR + "'s time over " + Scheme.FAST + "'s, all to all";
        String unpaced = Scheme.ALL_AT_ONCE + "'s time over " + Scheme.FAST + "'s, all to all";
        return scene(Scene.RANKS, Load.NONE, Scheme.FAST, Scheme.FOUR, Scheme.ALL_AT_ONCE)
                .map(scene -> List.of(
                        Target.atLeast(bisection, scene.idealSeconds() / seconds(scene, Scheme.FAST), OF_BISECTION),
                        Target.atLeast(four, ratio(scene, Scheme.FOUR, Scheme.FAST), OVER_GROUPS_OF_FOUR),
                        Target.atLeast(unpaced, ratio(scene, Scheme.ALL_AT_ONCE, Scheme.FAST), OVER_ALL_AT_ONCE)))
                .orElseGet(() -> List.of(
                        leftOut(bisection, OF_BISECTION),
                        leftOut(four, OVER_GROUPS_OF_FOUR),
                        leftOut(unpaced, OVER_ALL_AT_ONCE)));
    }

    private List<Target> loaded() {
        String name = Scheme.MULTISTRIPED + "'s time over " + Scheme.FAST + "'s, one port, load 80 %";
        return List.of(scene(1, Load.MOST, Scheme.FAST, Scheme.MULTISTRIPED)
                .map(scene -> Target.atLeast(name, ratio(scene, Scheme.MULTISTRIPED, Scheme.FAST), OVER_MULTISTRIPED))
                .orElseGet(() -> leftOut(name, OVER_MULTISTRIPED)));
    }

    private List<Target> polite() {
        String p50 = Scheme.POLITE + ", bystander's p50 in ms, one port";
        String p99 = Scheme.POLITE + ", bystander's p99 in ms, one port";
        String time = Scheme.POLITE + "'s time over " + Scheme.ALL_AT_ONCE + "'s, one port";
        return scene(1, Load.NONE, Scheme.POLITE, Scheme.ALL_AT_ONCE)
                .map(scene -> List.of(
                        Target.atMost(p50, median(scene, Scheme.POLITE, StripeCell::p50Millis), POLITE_P50_MILLIS),
                        Target.atMost(p99, median(scene, Scheme.POLITE, StripeCell::p99Millis), POLITE_P99_MILLIS),
                        Target.atMost(time, ratio(scene, Scheme.POLITE, Scheme.ALL_AT_ONCE), POLITE_MORE_TIME)))
                .orElseGet(() -> List.of(
                        leftOut(p50, POLITE_P50_MILLIS),
                        leftOut(p99, POLITE_P99_MILLIS),
                        leftOut(time, POLITE_MORE_TIME)));
    }

    /** Over what was measured of it, where all of these took part. */
    private Target grid() {
        String name = Scheme.FAST + "'s time over the best fixed group size's, at worst";
        return scenes().stream()
                .filter(scene -> in(scene).variants().containsAll(Scheme.FIXED)
                        && in(scene).variants().contains(Scheme.FAST))
                .mapToDouble(scene -> seconds(scene, Scheme.FAST)
                        / Scheme.FIXED.stream()
                                .mapToDouble(fixed -> seconds(scene, fixed))
                                .min()
                                .orElseThrow())
                .max()
                .stream()
                .mapToObj(worst -> Target.atMost(name, worst, OVER_BEST_FIXED))
                .findFirst()
                .orElseGet(() -> leftOut(name, OVER_BEST_FIXED));
    }

    /** With the usual buffers, if it was measured and these took part. */
    private Optional<Scene> scene(int ports, Load load, String... schemes) {
        return scenes().stream()
                .filter(scene -> scene.ports() == ports
                        && scene.load() == load
                        && scene.portBufferKilobytes() == StripePlan.USUAL_BUFFER
                        && in(scene).variants().containsAll(List.of(schemes)))
                .findFirst();
    }

    private double ratio(Scene scene, String one, String other) {
        return seconds(scene, one) / seconds(scene, other);
    }

    private double seconds(Scene scene, String scheme) {
        return median(scene, scheme, StripeCell::seconds);
    }

    private double median(Scene scene, String scheme, ToDoubleFunction<StripeCell> figure) {
        return in(scene).median(scheme, load(scene), figure);
    }

    /** Paper P3's figure 3, response time by load. Scenes store different amounts: it is the time for a megabyte of each rank. */
    static String figure3(List<StripeCell> cells) {
        return chart(
                "Milliseconds to store 1 MB of each of 16 ranks through one port, by its load in %",
                cells, cell -> cell.seconds() * 1e9 / cell.scene().rankBytes());
    }

    /** Paper P3's figure 4, throughput by load. */
    static String figure4(List<StripeCell> cells) {
        return chart(
                "Mbit/s of checkpoints through one port, by its load in %",
                cells, cell -> cell.scene().rankBytes() * Scene.RANKS * Byte.SIZE / 1e6 / cell.seconds());
    }

    private static String chart(String title, List<StripeCell> cells, ToDoubleFunction<StripeCell> figure) {
        Runs<StripeCell> drawn = new Runs<>(cells.stream()
                .filter(cell -> cell.scene().ports() == 1
                        && cell.scene().portBufferKilobytes() == StripePlan.USUAL_BUFFER
                        && cell.scene().load() != Load.FLOWS)
                .toList());
        return LineChart.svg(
                title,
                drawn.variants().stream()
                        .map(scheme -> new Line(scheme, scheme.equals(PlainTcp.NAME), drawn.byLoad(scheme, figure)))
                        .toList());
    }
}
