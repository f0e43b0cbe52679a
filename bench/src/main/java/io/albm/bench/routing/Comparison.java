// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * All contenders in one scenario.
 *
 * @param spreads by contender
 */
record Comparison(Scenario scenario, int seeds, Map<String, Spread> spreads) {
    private static final String UNIT = "% in time";
    private static final double TOLERANCE = 1;
    private static final double LEAD = 5;
    private static final int PAPERS_SERVERS = 4;
    private static final int PEAK = 80;

    List<Result> results() {
        var results = new ArrayList<Result>();
        addResults(results, "mean", Spread::mean);
        addResults(results, "min", Spread::min);
        addResults(results, "median", Spread::median);
        addResults(results, "max", Spread::max);
        return results;
    }

    private void addResults(List<Result> results, String statistic, ToDoubleFunction<Spread> value) {
        double ours = value.applyAsDouble(ours());
        others().forEach(name -> results.add(Result.of(
                scenario.name() + "/" + statistic, ours, value.applyAsDouble(spread(name)), name, UNIT, seeds)));
    }

    List<Target> targets() {
        var targets = new ArrayList<Target>();
        targets.add(Target.atLeast(
                "ours minus best other, points/" + scenario.name(), ours().mean() - bestOther(), -TOLERANCE));
        if (scenario.equals(Scenario.plain(PAPERS_SERVERS, PEAK, scenario.distributors()))) {
            targets.add(Target.atLeast(
                    "ours minus " + Contender.RIVAL + ", points/" + scenario.name(),
                    ours().mean() - spread(Contender.RIVAL).mean(),
                    LEAD));
        }
        return targets;
    }

    private double bestOther() {
        return others().stream().mapToDouble(name -> spread(name).mean()).max().orElseThrow();
    }

    private List<String> others() {
        return spreads.keySet().stream()
                .filter(name -> !name.equals(Contender.OURS))
                .toList();
    }

    private Spread ours() {
        return spread(Contender.OURS);
    }

    private Spread spread(String name) {
        Spread spread = spreads.get(name);
        if (spread == null) {
            throw new IllegalStateException(name + " did not take part in " + scenario.name());
        }
        return spread;
    }

    /** For the reader of the terminal. */
    String text() {
        var text = new StringBuilder(scenario.name())
                .append(": % in time, min/median/max/mean of ")
                .append(seeds)
                .append(" seeds\n");
        spreads.forEach((name, spread) -> text.append(String.format(
                Locale.ROOT,
                "  %-36s %5.1f %5.1f %5.1f  %5.1f%n",
                name,
                spread.min(),
                spread.median(),
                spread.max(),
                spread.mean())));
        return text.toString();
    }
}
