// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.savings;

import io.albm.bench.lab.MemoryDirectory;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm bench checkpoint-savings}. */
@Command(
        name = "checkpoint-savings",
        description = {
            "Finds out how much of ranks' memory images a checkpoint stores, and what that costs in CPU time.",
            "",
            "Each IMAGE is the state of one rank; without any, four are made that have what HPL's images have: 3.2 %% zero"
                    + " pages, 20.5 %% pages equal to another rank's, and the rest compressible to some three quarters. A"
                    + " first generation stores them all, a second one stores them with every tenth page changed. Both are"
                    + " put together again and compared byte for byte."
        })
public final class SavingsBench extends BenchCommand {
    private static final double MEBIBYTE = 1 << 20;
    private static final int CHANGED_EVERY = 10;

    @Parameters(arity = "0..*", paramLabel = "IMAGE", description = "Files: one for each rank.")
    private List<Path> images = List.of();

    @Option(names = "--directory", paramLabel = "DIR", description = "Where files are made. Default: ${DEFAULT-VALUE}")
    private Path directory = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));

    @Override
    protected BenchReport measure(boolean shorter) throws IOException {
        try (MemoryDirectory files = MemoryDirectory.make(directory)) {
            Path home = files.path();
            List<Path> first = images.isEmpty() ? MemoryImages.make(home, shorter ? 16 << 20 : 64 << 20) : images;
            List<Path> second = new ArrayList<>();
            for (int rank = 0; rank < first.size(); rank++) {
                second.add(MemoryImages.changed(first.get(rank), home.resolve("changed-" + rank), CHANGED_EVERY));
            }
            Generation full = Generation.full(home, 8, first);
            Generation next = full.next(9, second);
            return report(full, next, HashPass.of(first));
        }
    }

    private static BenchReport report(Generation full, Generation next, HashPass pass) throws IOException {
        int ranks = full.ranks();
        return new BenchReport(
                List.of(
                        megabytes("first generation, stored", full.storedBytes(), full.bytes(), ranks),
                        megabytes("of it, indexes", full.indexBytes(), full.bytes(), ranks),
                        megabytes("pages neither zero nor equal", full.newBytes(), full.bytes(), ranks),
                        megabytes("second generation, stored", next.storedBytes(), next.bytes(), ranks),
                        cpu("first generation, planned", full.planNanos(), full, pass),
                        cpu("first generation, planned and packed", full.storeNanos(), full, pass),
                        cpu("second generation, planned and packed", next.storeNanos(), next, pass),
                        cpu("first generation, restored", full.restoreNanos(), full, pass)),
                List.of(
                        Target.atMost("first generation, stored of raw", full.storedShare(), 0.60),
                        Target.atMost("second generation, stored of raw", next.storedShare(), 0.15),
                        Target.atMost("ranks that came back otherwise", full.wrong() + next.wrong(), 0)),
                Map.of("changed for the second generation", "one page of " + CHANGED_EVERY));
    }

    private static Result megabytes(String name, long ours, long raw, int ranks) {
        return Result.of(name, ours / MEBIBYTE, raw / MEBIBYTE, "raw", "MiB", ranks);
    }

    private static Result cpu(String name, long nanos, Generation of, HashPass pass) {
        return Result.of(
                name,
                nanos / 1e6 / (of.bytes() / MEBIBYTE),
                pass.nanos() / 1e6 / (pass.bytes() / MEBIBYTE),
                "SHA-256 and CRC32C once",
                "ms of CPU a MiB",
                of.ranks());
    }
}
