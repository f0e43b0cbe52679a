// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.Inflight;
import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.Marks;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm ckpt ls}. */
@Command(
        name = "ls",
        description = "List jobs, each with the checkpoint in flight, or the complete checkpoints of one job, the"
                + " newest last.",
        footer = {"  albm ckpt ls", "  albm ckpt ls heat --json"})
final class ListCommand implements Callable<Integer> {
    /** One line of the list of jobs. */
    private record JobLine(
            String job,
            int ranks,
            String strategy,
            String state,
            long latest,
            @Nullable Unfinished inFlight,
            Map<String, List<Integer>> hosts) {
        /** The hosts with the numbers of their ranks. */
        String places() {
            return hosts.isEmpty()
                    ? "-"
                    : hosts.entrySet().stream()
                            .map(host ->
                                    host.getKey() + host.getValue().toString().replace(" ", ""))
                            .collect(Collectors.joining(" "));
        }
    }

    /**
     * A checkpoint in flight.
     *
     * @param step that all ranks saved; 0 while they save
     */
    private record Unfinished(long number, String phase, long step) {
        static Unfinished of(Inflight record) {
            return new Unfinished(record.number(), record.voted() ? "draining" : "saving", record.step());
        }

        @Override
        public String toString() {
            return number + " " + phase;
        }
    }

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Parameters(arity = "0..1", paramLabel = "JOB", description = "Name of a job.")
    private @Nullable String job;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        try (JobAccess access = JobAccess.open(options)) {
            System.out.print(job == null ? jobs(access) : checkpoints(access, access.job(job)));
        }
        return ExitCode.DONE;
    }

    private String jobs(JobAccess access) {
        List<JobLine> lines = access.await(access.cluster().store().children(JobPaths.JOBS)).stream()
                .flatMap(name -> line(access, name).stream())
                .toList();
        if (json) {
            return Json.text(lines) + "\n";
        }
        Table table = Table.of("JOB", "RANKS", "STRATEGY", "STATE", "LATEST", "IN FLIGHT", "HOSTS")
                .right(1, 4);
        lines.forEach(line -> table.row(
                line.job(),
                line.ranks(),
                line.strategy(),
                line.state(),
                line.latest(),
                line.inFlight() == null ? "-" : line.inFlight(),
                line.places()));
        return table.render(Ansi.stdout());
    }

    private static Optional<JobLine> line(JobAccess access, String name) {
        JobStore store = access.job(name);
        boolean supervised = access.await(
                        access.cluster().store().read(store.paths().supervisor()))
                .isPresent();
        String state = access.await(store.isFinished()) ? "finished" : supervised ? "running" : "interrupted";
        long latest = access.await(store.committedNumbers()).stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
        Unfinished inFlight =
                access.await(store.newestInflight()).map(Unfinished::of).orElse(null);
        Map<String, List<Integer>> hosts =
                new TreeMap<>(access.await(store.placement()).ranks());
        return access.await(store.spec())
                .map(spec -> new JobLine(name, spec.ranks(), spec.strategy(), state, latest, inFlight, hosts));
    }

    private String checkpoints(JobAccess access, JobStore store) {
        List<Committed> entries = new ArrayList<>();
        for (long number : access.await(store.committedNumbers())) {
            access.await(store.committed(number)).ifPresent(entries::add);
        }
        if (json) {
            return Json.text(entries) + "\n";
        }
        Marks marks = access.await(store.marks());
        Table table = Table.of(
                        "CHECKPOINT",
                        "STEP",
                        "BYTES",
                        "NEW",
                        "STORED",
                        "MILLIS",
                        "GROUP",
                        "EPOCH",
                        "SAVED AT",
                        "MARK",
                        "MANIFEST")
                .right(0, 1, 2, 3, 4, 5, 6, 7);
        entries.forEach(entry -> table.row(
                entry.number(),
                entry.step(),
                entry.bytes(),
                entry.newBytes(),
                entry.storedBytes(),
                entry.millis(),
                entry.groupSize(),
                entry.epoch(),
                entry.times().savedAt(),
                mark(marks, entry.number()),
                entry.manifest()));
        return table.render(Ansi.stdout());
    }

    private static String mark(Marks marks, long number) {
        String past = marks.hasAbandoned(number) ? "left aside" : "-";
        return marks.pinned().contains(number) ? "pinned" : past;
    }
}
