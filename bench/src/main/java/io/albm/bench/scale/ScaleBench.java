// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

import io.albm.bench.compare.Surroundings;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import io.albm.bench.report.ExperimentFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code albm bench checkpoint-scale}. */
@Command(
        name = "checkpoint-scale",
        description = {
            "What a checkpoint of a job on 16 to 10 000 nodes costs its coordinator, from its begin until old ones are"
                    + " collected.",
            "",
            "Coordinator, supervisor protocol, pacer and scheme are production's; ranks, links, ZooKeeper and the"
                    + " striped store are simulated in one process. Measured are the processor time of the coordinator's"
                    + " own work and what it allocates, and the bytes and requests that it sends. docs/scale.md has what"
                    + " is not.",
            "",
            "Beside it P3's figures 3 to 6 for 16 to 10 000 ranks, as files: what each scheme's turns are worth where"
                    + " ports and links are fluids."
        })
public final class ScaleBench extends BenchCommand {
    private static final List<Integer> NODES = List.of(16, 100, 1000, 10_000);
    private static final int BASE = 1000;
    private static final double MOST_MICROS = 50;
    private static final double MOST_GROWTH = 2;
    private static final double KIBIBYTE = 1024;

    @Mixin
    private ExperimentFiles files = new ExperimentFiles();

    @Override
    protected BenchReport measure(boolean shorter) throws IOException {
        int chains = shorter ? 1 : 3;
        List<ScaleRun> runs = new ArrayList<>();
        for (int nodes : NODES) {
            System.err.printf("%d nodes%n", nodes);
            runs.add(ScaleRun.of(nodes, chains));
        }
        files.write(PaperFigures.simulate(shorter ? BASE : NODES.getLast()).files());
        List<Result> results = new ArrayList<>();
        for (ScaleRun run : runs) {
            add(results, run, "processor time a node", "us", ScaleRun::microsPerNode, runs);
            add(results, run, "allocated a node", "KiB", each(CheckpointCost::allocatedBytes, KIBIBYTE), runs);
            add(results, run, "answers a node", "bytes", each(CheckpointCost::answerBytes, 1), runs);
            add(results, run, "commands a node", "bytes", each(CheckpointCost::commandBytes, 1), runs);
            add(results, run, "records a node", "bytes", each(CheckpointCost::recordBytes, 1), runs);
            add(results, run, "manifest a node", "bytes", each(CheckpointCost::manifestBytes, 1), runs);
            add(results, run, "requests to the store a node", "", each(CheckpointCost::fileRequests, 1), runs);
            add(results, run, "largest transaction", "bytes", ScaleRun::largestTransactionBytes, runs);
            add(results, run, "ticks", "", of -> of.perNode(CheckpointCost::ticks) * of.nodes(), runs);
            add(results, run, "begin to commit, simulated", "s", ScaleRun::seconds, runs);
        }
        ScaleRun largest = runs.getLast();
        return new BenchReport(
                results,
                List.of(
                        Target.atMost("coordinator-us-per-node", largest.microsPerNode(), MOST_MICROS),
                        Target.atMost(
                                "coordinator-us-per-node against " + BASE + " nodes",
                                largest.microsPerNode() / base(runs).microsPerNode(),
                                MOST_GROWTH)),
                Surroundings.machine());
    }

    private static ToDoubleFunction<ScaleRun> each(ToDoubleFunction<CheckpointCost> figure, double unit) {
        return run -> run.perNode(figure) / unit;
    }

    private static void add(
            List<Result> results,
            ScaleRun run,
            String figure,
            String unit,
            ToDoubleFunction<ScaleRun> value,
            List<ScaleRun> runs) {
        results.add(Result.of(
                run.nodes() + " nodes/" + figure,
                value.applyAsDouble(run),
                value.applyAsDouble(base(runs)),
                BASE + " nodes",
                unit,
                run.chains().size()));
    }

    private static ScaleRun base(List<ScaleRun> runs) {
        return runs.stream().filter(run -> run.nodes() == BASE).findFirst().orElseThrow();
    }
}
