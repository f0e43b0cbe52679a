// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.local.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code albm bench cache-hit}: which policy needs the fewest disk reads, and what the scheduling window is worth. */
@Command(
        name = "cache-hit",
        description = {
            "Drives the cache server's own policies with traces of requests and compares their hit ratios, with the offline "
                    + "rule Belady-Size as the limit.",
            "Caches hold 0.1, 1, 5 and 10 %% of the different documents' bytes; 1 to 1024 requests wait. Mode 'in-order' serves "
                    + "requests in the order of the trace; 'hits-first' answers hits at once and reads a document once for all "
                    + "that wait for it.",
            "Results are named POLICY/SIZE/wWINDOW/MODE, e.g. window-aware/1%%/w64/in-order: the object hit ratio, as "
                    + "the mean over all traces that were given; '/bytes' at the end marks the byte hit ratio. TRACE/ "
                    + "before a name means that trace alone. A generated SURGE-like trace always runs as surge/ and is no "
                    + "part of the mean, unless no trace was given.",
            "A trace is plain or gzip; its format is recognized: 'time id size', Apache and nginx access logs, libCacheSim's "
                    + "CSV, and the text formats of Caffeine's simulator (ARC, LIRS, UMass, Twitter, Wikipedia)."
        })
public final class CacheHitBench extends BenchCommand {

    private static final long SEED = 7;
    private static final int GENERATED_REQUESTS = 60_000;
    private static final int FEWER_GENERATED_REQUESTS = 20_000;
    private static final Path DEFAULT_FOLDER = Path.of("..", "shared", "traces");

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "A trace. May be given more than once; the folder's traces are then left out.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--traces",
            paramLabel = "DIR",
            description =
                    "A folder of traces, which runs unless there is a --trace. Default: ../shared/traces beside the "
                            + "checkout, if it is there.")
    private @Nullable Path folder;

    @Option(
            names = "--shapes",
            description = "Run generated traces of other shapes, too, each under its name: drift, scan, loop, bursts, "
                    + "equal-sizes, popular-large, popular-small.")
    private boolean shapes;

    @Override
    protected BenchReport measure(boolean shorter) throws IOException, InterruptedException, ExecutionException {
        List<Trace> given = given();
        List<Trace> generated = generated(shorter ? FEWER_GENERATED_REQUESTS : GENERATED_REQUESTS);
        Map<String, Map<Cell, Served>> served = new LinkedHashMap<>();
        try (ExecutorService processors =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            for (Trace trace : Stream.concat(given.stream(), generated.stream()).toList()) {
                served.put(trace.name(), run(new CacheGrid(shorter), trace, processors));
            }
        }
        List<Trace> meant = given.isEmpty() ? generated.subList(0, 1) : given;
        return report(meant.stream().map(Trace::name).toList(), served);
    }

    /** The mean of the policy on trial; all the rest is in the tables. */
    @Override
    protected BenchReport shown(BenchReport report) {
        List<Result> ours = report.results().stream()
                .filter(result -> result.name().startsWith(CacheGrid.OURS + "/"))
                .toList();
        return new BenchReport(ours, report.targets(), report.environment());
    }

    private List<Trace> generated(int requests) {
        return Stream.of(GeneratedTrace.values())
                .filter(trace -> shapes || trace == GeneratedTrace.SURGE)
                .map(trace -> trace.generate(SEED, requests))
                .toList();
    }

    private List<Trace> given() throws IOException {
        List<Trace> traces = new ArrayList<>();
        for (Path file : files.isEmpty() ? ofFolder() : files) {
            Trace trace = TraceFile.read(file);
            traces.add(trace.renamed(uniqueName(trace.name(), traces)));
        }
        return traces;
    }

    private static String uniqueName(String name, List<Trace> others) {
        Set<String> taken = Stream.concat(
                        others.stream().map(Trace::name),
                        Stream.of(GeneratedTrace.values()).map(GeneratedTrace::label))
                .collect(Collectors.toSet());
        return Stream.concat(Stream.of(name), IntStream.iterate(2, n -> n + 1).mapToObj(n -> name + "-" + n))
                .filter(free -> !taken.contains(free))
                .findFirst()
                .orElseThrow();
    }

    private List<Path> ofFolder() throws IOException {
        Path chosen = folder == null
                ? Installation.find().home().resolve(DEFAULT_FOLDER).normalize()
                : folder;
        if (!Files.isDirectory(chosen)) {
            if (folder != null) {
                throw new CliException(ExitCode.USAGE, folder + " is not a folder; expected one with traces");
            }
            return List.of();
        }
        try (Stream<Path> files = Files.list(chosen)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static Map<Cell, Served> run(CacheGrid grid, Trace trace, ExecutorService processors)
            throws InterruptedException, ExecutionException {
        long started = System.nanoTime();
        System.err.printf(
                Locale.ROOT,
                "%s: %d requests for %d documents of %.1f MB... ",
                trace.name(),
                trace.requests().size(),
                trace.documents(),
                trace.uniqueBytes() / 1e6);
        Map<Cell, Served> served = grid.run(trace, processors);
        System.err.printf(Locale.ROOT, "%d cells in %.0f s%n", served.size(), (System.nanoTime() - started) / 1e9);
        return served;
    }

    private static BenchReport report(List<String> meant, Map<String, Map<Cell, Served>> served) {
        HitRatios mean = HitRatios.mean(
                "",
                meant.stream().map(name -> served.getOrDefault(name, Map.of())).toList());
        System.err.print(new CacheHitTables(mean).text());
        List<Result> results = new ArrayList<>(mean.results());
        served.forEach((name, cells) ->
                results.addAll(HitRatios.mean(name + "/", List.of(cells)).results()));
        return new BenchReport(results, new CacheHitTargets(mean).all(), Map.of("mean over", String.join(", ", meant)));
    }
}
