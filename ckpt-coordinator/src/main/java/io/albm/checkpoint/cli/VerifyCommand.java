// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.control.StateCopies;
import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.LostDataException;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.protocol.Verification;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm ckpt verify}. */
@Command(
        name = "verify",
        description =
                "Read every index and every page of every complete checkpoint of a job, or of one, compare them with"
                        + " their digests, and remember the outcome. Exit code 1 if any cannot be restored; 3 if of none that"
                        + " is known, but some cannot be read now.",
        footer = {"  albm ckpt verify heat", "  albm ckpt verify heat 12 --json"})
final class VerifyCommand implements Callable<Integer> {
    /** @param known false if the storage could not be asked: the checkpoint may be good or not */
    private record Line(long number, long step, long bytes, boolean good, boolean known, String problem) {
        Line(Committed entry, boolean known, String problem) {
            this(entry.number(), entry.step(), entry.bytes(), problem.isEmpty(), known, problem);
        }

        boolean isBad() {
            return known && !good;
        }

        String text() {
            if (good) {
                return "good, step " + step + ", " + bytes + " bytes";
            }
            return (known ? "BAD: " : "cannot be read now: ") + problem;
        }
    }

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private JobArgument job = new JobArgument();

    @Parameters(index = "1", arity = "0..1", paramLabel = "NUMBER", description = "One checkpoint. Default: all")
    private @Nullable Long number;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        List<Line> lines = new ArrayList<>();
        try (JobAccess access = JobAccess.open(options)) {
            JobStore store = job.store(access);
            for (Committed entry : entries(access, store)) {
                Optional<Line> line = verify(access, store, entry);
                line.ifPresent(lines::add);
                if (!json) {
                    System.out.println("checkpoint " + entry.number() + ": "
                            + line.map(Line::text).orElse("retired while it was read"));
                }
            }
        }
        if (json) {
            System.out.println(Json.text(lines));
        }
        return exitCode(lines);
    }

    private static int exitCode(List<Line> lines) {
        if (lines.stream().anyMatch(Line::isBad)) {
            return ExitCode.FAILED;
        }
        return lines.stream().allMatch(Line::good) ? ExitCode.DONE : ExitCode.DEGRADED;
    }

    private List<Committed> entries(JobAccess access, JobStore store) {
        if (number != null) {
            return List.of(new CheckpointChoice(access, store).numbered(number));
        }
        List<Committed> entries = new ArrayList<>();
        access.await(store.committedNumbers())
                .forEach(known -> access.await(store.committed(known)).ifPresent(entries::add));
        return entries;
    }

    /** Empty if the running job had no more need of it: its record goes first, then its files. */
    private static Optional<Line> verify(JobAccess access, JobStore store, Committed entry) {
        Line line = look(access, store, entry);
        if (!line.good() && access.await(store.committed(entry.number())).isEmpty()) {
            return Optional.empty();
        }
        if (line.known()) {
            access.insist(() -> store.recordVerified(entry.number(), new Verification(Instant.now(), line.problem())));
        }
        return Optional.of(line);
    }

    private static Line look(JobAccess access, JobStore store, Committed entry) {
        StoredCheckpoint stored = new StoredCheckpoint(access.files(), store.paths(), entry);
        try (Progress progress = Progress.of("checkpoint " + entry.number(), entry.bytes())) {
            access.files().run(() -> read(stored, progress)).join();
            return new Line(entry, true, "");
        } catch (CompletionException e) {
            return new Line(
                    entry,
                    LostDataException.isCauseOf(e),
                    String.valueOf(JobAccess.cause(e).getMessage()));
        }
    }

    private static boolean read(StoredCheckpoint stored, Progress progress) throws IOException {
        Manifest manifest = stored.manifest();
        for (StoredUnit unit : manifest.units()) {
            stored.states().read(unit, (offset, from, at, length) -> progress.advance(length), StateCopies.NONE);
        }
        return true;
    }
}
