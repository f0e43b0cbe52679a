// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import io.albm.bench.routing.Scenario.Trouble;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;

/** {@code albm bench routing}: the distributor's policies against each other on paper P1's service, simulated. */
@Command(
        name = "routing",
        description = {
            "Runs the distributor's own policy classes in a simulation of paper P1's service: 50 %% requests of one byte,",
            "40 %% that hold 5 MB, 10 %% that hold 15 MB; servers of 512 MB, half of them with an antagonist, one in four",
            "with half a processor; 4, 100 and 1000 servers; 1 and 8 distributors; agents that are late, lost or say nothing",
            "of costs; clients that give up. A request of one byte is in time within 1 s, the others within 4 s."
        })
public final class RoutingBench extends BenchCommand {
    private static final int[] LOADS = {50, 65, 80};
    private static final int[] DISTRIBUTORS = {1, 8};
    private static final int PAPERS_SERVERS = 4;
    private static final int[] LARGER = {100, 1_000};
    private static final int PEAK = 80;

    static List<Scenario> scenarios() {
        var scenarios = new ArrayList<Scenario>();
        for (int distributors : DISTRIBUTORS) {
            for (int load : LOADS) {
                scenarios.add(Scenario.plain(PAPERS_SERVERS, load, distributors));
            }
            Scenario peak = Scenario.plain(PAPERS_SERVERS, PEAK, distributors);
            for (Trouble trouble : Trouble.values()) {
                if (trouble != Trouble.NONE && (distributors > 1 || trouble != Trouble.UNEVEN_CLIENTS)) {
                    scenarios.add(peak.with(trouble));
                }
            }
        }
        for (int servers : LARGER) {
            for (int distributors : DISTRIBUTORS) {
                scenarios.add(Scenario.plain(servers, PEAK, distributors));
            }
        }
        return scenarios;
    }

    @Override
    protected BenchReport measure(boolean shorter) throws InterruptedException, ExecutionException {
        try (ExecutorService processors =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            return measure(shorter, processors);
        }
    }

    private static BenchReport measure(boolean shorter, ExecutorService processors)
            throws InterruptedException, ExecutionException {
        List<Result> results = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        for (Scenario scenario : scenarios()) {
            Comparison comparison = compare(scenario, RunLength.of(scenario, shorter), processors);
            System.err.print(comparison.text());
            results.addAll(comparison.results());
            targets.addAll(comparison.targets());
        }
        return new BenchReport(results, targets);
    }

    private static Comparison compare(Scenario scenario, RunLength length, ExecutorService processors)
            throws InterruptedException, ExecutionException {
        Map<String, List<Future<Tally>>> runs = new LinkedHashMap<>();
        for (Contender contender : Contender.all()) {
            runs.put(
                    contender.name(),
                    LongStream.rangeClosed(1, length.seeds())
                            .mapToObj(seed -> processors.submit(
                                    () -> new RoutingSimulation(scenario, contender, length, seed, Witness.NONE).run()))
                            .toList());
        }
        Map<String, Spread> spreads = new LinkedHashMap<>();
        for (var run : runs.entrySet()) {
            spreads.put(run.getKey(), spread(run.getValue()));
        }
        return new Comparison(scenario, length.seeds(), spreads);
    }

    private static Spread spread(List<Future<Tally>> runs) throws InterruptedException, ExecutionException {
        double[] percents = new double[runs.size()];
        for (int i = 0; i < percents.length; i++) {
            percents[i] = runs.get(i).get().percentInTime();
        }
        return Spread.of(percents);
    }
}
