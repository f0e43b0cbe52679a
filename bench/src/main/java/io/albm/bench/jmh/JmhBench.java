// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.jmh;

import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code albm bench jmh}: the microbenchmarks, each kind against its baseline in the same run. */
@Command(
        name = "jmh",
        description = {
            "Runs the microbenchmarks in JVMs of their own and compares each kind with its baseline.",
            "Without a pattern all of them run: routing pick, heads, eviction, parity, sampling the counters."
        })
public final class JmhBench extends BenchCommand {

    private static final String KIND = "kind";

    /**
     * What an operation may cost at most: the paper's policy of plain LRU's, on which it is built, and ours of the plain
     * form of itself.
     */
    private static final double MOST_EVICTION_COST = 2;

    private static final String REQUEST = EvictionMixBenchmark.class.getSimpleName() + ".request";
    private static final String PAPERS_POLICY = "/window-lru";
    private static final String OUR_POLICY = "/window-aware";
    private static final String OUR_POLICYS_PLAIN_FORM = "/sampled";

    @Parameters(
            arity = "0..1",
            paramLabel = "PATTERN",
            defaultValue = ".*",
            description = "A regular expression that the benchmark's name must contain.")
    private Pattern pattern = Pattern.compile(".*");

    @Override
    protected BenchReport measure(boolean shorter) throws RunnerException {
        Collection<RunResult> measured;
        try {
            measured = new Runner(
                            options(shorter), OutputFormatFactory.createFormatInstance(System.err, VerboseMode.NORMAL))
                    .run();
        } catch (NoBenchmarksException e) {
            throw new CliException(
                    ExitCode.USAGE,
                    "no benchmark matches '" + pattern + "'; try Eviction, RoutingPick, Head, Parity or Sample",
                    e);
        }
        List<Result> results = compare(measured);
        return new BenchReport(results, targets(results));
    }

    private Options options(boolean shorter) {
        return new OptionsBuilder()
                .include(pattern.pattern())
                .forks(shorter ? 1 : 3)
                .warmupIterations(shorter ? 2 : 5)
                .warmupTime(TimeValue.milliseconds(shorter ? 200 : 1000))
                .measurementIterations(shorter ? 3 : 5)
                .measurementTime(TimeValue.milliseconds(shorter ? 200 : 1000))
                .shouldFailOnError(true)
                .build();
    }

    private static List<Result> compare(Collection<RunResult> measured) {
        Map<String, RunResult> baselines = new LinkedHashMap<>();
        List<Result> results = new ArrayList<>();
        for (RunResult run : measured) {
            RunResult baseline = baselines.putIfAbsent(cell(run.getParams()), run);
            if (baseline != null) {
                results.add(compare(run, baseline));
            }
        }
        return results;
    }

    /** A benchmark with all its parameters but the kind: what may be compared. */
    private static String cell(BenchmarkParams params) {
        StringBuilder cell = new StringBuilder(params.getBenchmark());
        for (String key : params.getParamsKeys()) {
            cell.append(key.equals(KIND) ? "" : "/" + key + "=" + params.getParam(key));
        }
        return cell.substring(JmhBench.class.getPackageName().length() + 1);
    }

    private static Result compare(RunResult run, RunResult baseline) {
        return Result.of(
                cell(run.getParams()) + "/" + run.getParams().getParam(KIND),
                run.getPrimaryResult().getScore(),
                baseline.getPrimaryResult().getScore(),
                String.valueOf(baseline.getParams().getParam(KIND)),
                run.getPrimaryResult().getScoreUnit(),
                Math.toIntExact(run.getPrimaryResult().getSampleCount()));
    }

    static List<Target> targets(List<Result> results) {
        Map<String, Result> byName = new LinkedHashMap<>();
        results.forEach(result -> byName.put(result.name(), result));
        List<Target> targets = new ArrayList<>();
        for (Result result : results) {
            String name = result.name();
            if (name.startsWith(REQUEST) && name.endsWith(PAPERS_POLICY)) {
                targets.add(Target.atMost(name + " cost", result.ratio(), MOST_EVICTION_COST));
            }
            Result plain = byName.get(name.replace(OUR_POLICY, OUR_POLICYS_PLAIN_FORM));
            if (name.endsWith(OUR_POLICY) && plain != null) {
                targets.add(Target.atMost(
                        name + " cost of " + plain.name(), result.ours() / plain.ours(), MOST_EVICTION_COST));
            }
        }
        return targets;
    }
}
