// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.bounds;

import io.albm.bench.compare.Surroundings;
import io.albm.bench.load.SurgeSizes;
import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.process.Roles;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.core.local.Installation;
import io.albm.core.log.Logging;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code albm bench cache-memory}. */
@Command(
        name = "cache-memory",
        description = {
            "Holds the cache server to its bounds of memory under ten minutes of mixed load with evictions.",
            "",
            "1500 documents of SURGE's sizes and 12 of 8 to 32 MB, which are streamed, are asked for by 48 clients that take"
                    + " them whole, in ranges, slowly, or go away in the middle, of a server with 24 MiB for documents. Five"
                    + " times a second the server's own figures and the kernel's are looked at; every byte that a client gets"
                    + " is judged. The server's heap is limited to 128 MiB and its direct memory to 96 MiB; the process may"
                    + " have both and 160 MiB for its code."
        })
public final class MemoryBench extends BenchCommand {
    private static final int SMALL = 1500;
    private static final int LARGEST_SMALL = 1 << 20;
    private static final int LARGE = 12;
    private static final long LEAST_LARGE = 8L << 20;
    private static final long MOST_LARGE = 32L << 20;
    private static final long SEED = 5;
    private static final int CLIENTS = 48;
    private static final int LOOK_MILLIS = 200;
    private static final int LOOKS_PER_LINE = 50;
    private static final long MEBIBYTE = 1 << 20;
    private static final int CAPACITY_MEBIBYTES = 24;
    private static final int HEAP_MEBIBYTES = 128;
    private static final int DIRECT_MEBIBYTES = 96;
    private static final int CODE_MEBIBYTES = 160;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long, instead of ten minutes (40 s with --quick).")
    private int seconds;

    @Override
    protected BenchReport measure(boolean shorter) throws IOException, InterruptedException {
        Logging.quiet();
        Duration length = Duration.ofSeconds(seconds > 0 ? seconds : shorter ? 40 : 600);
        Installation installation = Installation.find();
        try (ProcessGroup processes = ProcessGroup.in(installation.home().resolve("bench/target/bench-cache-memory"))) {
            Path root = Files.createDirectory(processes.directory().resolve("documents"));
            List<PatternedDocument> documents = write(root);
            ChildProcess server = start(processes, installation, root);
            MixTally tally = new MixTally();
            MemorySamples seen = load(server, documents, length, tally);
            tally.failures().forEach((why, times) -> System.err.println(times + " x " + why));
            double processBytes = (double) (HEAP_MEBIBYTES + DIRECT_MEBIBYTES + CODE_MEBIBYTES) * MEBIBYTE;
            return MemoryVerdict.of(seen, tally, processBytes, surroundings(length, tally));
        }
    }

    private static List<PatternedDocument> write(Path root) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        SurgeSizes sizes = new SurgeSizes(random, LARGEST_SMALL);
        List<PatternedDocument> documents = new ArrayList<>();
        for (int i = 0; i < SMALL; i++) {
            documents.add(new PatternedDocument("/small-" + i, sizes.next(), i));
        }
        for (int i = 0; i < LARGE; i++) {
            documents.add(new PatternedDocument(
                    "/large-" + i, LEAST_LARGE + random.nextLong(MOST_LARGE - LEAST_LARGE), SMALL + i));
        }
        for (PatternedDocument document : documents) {
            document.write(root);
        }
        return documents;
    }

    private static ChildProcess start(ProcessGroup processes, Installation installation, Path root) throws IOException {
        String options =
                "ALBM_JAVA_OPTS=-Xmx%dm -XX:MaxDirectMemorySize=%dm".formatted(HEAP_MEBIBYTES, DIRECT_MEBIBYTES);
        return Roles.start(processes, installation)
                .start(
                        List.of("env", options),
                        "cache-server",
                        "cache-server",
                        List.of("--port", "0", "--docs", root.toString(), "--capacity", CAPACITY_MEBIBYTES + "MiB"));
    }

    private static MemorySamples load(
            ChildProcess server, List<PatternedDocument> documents, Duration length, MixTally tally)
            throws IOException, InterruptedException {
        NodeAddress http = Roles.endpoint(server, "http");
        NodeAddress admin = Roles.endpoint(server, "admin");
        long end = System.nanoTime() + length.toNanos();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(Thread.ofVirtual().start(new MixedClient(http, documents, i, end, tally)));
        }
        MemorySamples seen = MemorySamples.NONE;
        while (System.nanoTime() < end) {
            seen = seen.lookAt(admin, server.pid());
            if (seen.samples() % LOOKS_PER_LINE == 0) {
                tell(seen, tally);
            }
            Thread.sleep(LOOK_MILLIS);
        }
        for (Thread client : clients) {
            client.join();
        }
        return seen.lookAt(admin, server.pid());
    }

    private static void tell(MemorySamples seen, MixTally tally) {
        System.err.printf(
                Locale.ROOT,
                "at most: documents %.1f MiB, transit %.1f MiB, process %.0f MiB; %d right, %d refused, %d failed, %d"
                        + " corrupt, %.0f evictions%n",
                seen.resident() / MEBIBYTE,
                seen.transit() / MEBIBYTE,
                seen.residentSet() / MEBIBYTE,
                tally.rightAnswers(),
                tally.refusedRequests(),
                tally.failedRequests(),
                tally.corruptBodies(),
                seen.evictions());
    }

    private static Map<String, String> surroundings(Duration length, MixTally tally) throws IOException {
        Map<String, String> all = Surroundings.machine();
        all.put(
                "load",
                "%d clients for %d s: %d right answers, %.1f GB, %d refused"
                        .formatted(
                                CLIENTS,
                                length.toSeconds(),
                                tally.rightAnswers(),
                                tally.takenBytes() / 1e9,
                                tally.refusedRequests()));
        return all;
    }
}
