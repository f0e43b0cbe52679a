// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code albm bench cache}: does the scheduling window pay, by paper P2's own measure? */
@Command(
        name = "cache",
        description = {
            "Compares the window-aware policy of paper P2 with plain LRU by object hit ratio.",
            "Both are the cache server's own classes and see the same requests in the same run: a generated "
                    + "SURGE-like trace, and every trace that is named. Caches hold 1 %% and 10 %% of the different "
                    + "documents' bytes; 64 and 400 requests wait."
        })
public final class CacheBench extends BenchCommand {

    private static final long SEED = 7;
    private static final int REQUESTS = 200_000;
    private static final int FEWER_REQUESTS = 40_000;
    private static final int[] PERCENTS = {1, 10};
    private static final int[] WINDOWS = {64, 400};

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "A further trace: 'time id size' a line, plain or gzip. May be given more than once.")
    private List<Path> files = new ArrayList<>();

    @Override
    protected BenchReport measure(boolean shorter) throws IOException {
        List<Trace> traces = new ArrayList<>();
        traces.add(Trace.surge(SEED, shorter ? FEWER_REQUESTS : REQUESTS));
        for (Path file : files) {
            traces.add(Trace.read(file));
        }
        List<Result> results =
                traces.stream().flatMap(trace -> compare(trace).stream()).toList();
        double worst = results.stream().mapToDouble(Result::ratio).min().orElseThrow();
        return new BenchReport(results, List.of(Target.atLeast("window-lru is never below lru", worst, 1)));
    }

    private static List<Result> compare(Trace trace) {
        long unique = trace.uniqueBytes();
        List<Result> results = new ArrayList<>();
        for (int percent : PERCENTS) {
            for (int window : WINDOWS) {
                results.add(compare(trace, unique * percent / 100, window, percent + "%/w" + window));
            }
        }
        return results;
    }

    private static Result compare(Trace trace, long capacity, int window, String cell) {
        double ours = TraceSimulator.run(trace, "window-lru", capacity, window).objects();
        double peer = TraceSimulator.run(trace, "lru", capacity, window).objects();
        return Result.of(trace.name() + "/window-lru/" + cell + "/in-order", ours, peer, "lru", "object hit ratio", 1);
    }
}
