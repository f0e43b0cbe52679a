// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.Marks;
import io.albm.checkpoint.protocol.Verification;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.core.config.Units;
import io.albm.core.json.Json;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm ckpt show}. */
@Command(
        name = "show",
        description =
                "Show all that is known of one complete checkpoint: when it was taken and how long it took, its files,"
                        + " whether it is pinned, and when every byte of it was read last.",
        footer = {"  albm ckpt show heat", "  albm ckpt show heat 12 --json"})
final class ShowCommand implements Callable<Integer> {
    /** What {@code --json} prints. */
    private record Shown(
            String job,
            Committed checkpoint,
            Manifest manifest,
            boolean pinned,
            boolean abandoned,
            @Nullable Verification verified) {}

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private JobArgument job = new JobArgument();

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NUMBER",
            description = "A complete checkpoint. Default: the one that a restart would go on from")
    private @Nullable Long number;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        try (JobAccess access = JobAccess.open(options)) {
            JobStore store = job.store(access);
            Shown shown = shown(access, store);
            System.out.print(json ? Json.text(shown) + "\n" : text(shown));
        }
        return ExitCode.DONE;
    }

    private Shown shown(JobAccess access, JobStore store) {
        CheckpointChoice choice = new CheckpointChoice(access, store);
        Committed entry = number == null ? choice.newest() : choice.numbered(number);
        Marks marks = access.await(store.marks());
        return new Shown(
                job.name(),
                entry,
                manifest(access, store, entry),
                marks.pinned().contains(entry.number()),
                marks.hasAbandoned(entry.number()),
                access.await(store.verified()).get(entry.number()));
    }

    private static Manifest manifest(JobAccess access, JobStore store, Committed entry) {
        try {
            return new StoredCheckpoint(access.files(), store.paths(), entry).manifest();
        } catch (CompletionException e) {
            throw new CliException(
                    ExitCode.FAILED,
                    "manifest of checkpoint " + entry.number() + ": "
                            + JobAccess.cause(e).getMessage(),
                    e);
        }
    }

    private static String text(Shown shown) {
        Committed entry = shown.checkpoint();
        Table facts = Table.of("CHECKPOINT", entry.number() + " of job " + shown.job())
                .row("step", entry.step())
                .row("saved at", entry.times().savedAt())
                .row("ranks", shown.manifest().units().size())
                .row("bytes", entry.bytes() + " (" + Units.rounded((double) entry.bytes()) + ")")
                .row("new", entry.newBytes() + " (" + Units.rounded((double) entry.newBytes()) + ")")
                .row("stored", entry.storedBytes() + " (" + Units.rounded((double) entry.storedBytes()) + ")")
                .row("took", entry.millis() + " ms")
                .row("  ranks stalled", entry.times().stallMillis() + " ms")
                .row("  drain", entry.times().drainMillis() + " ms, at most " + entry.groupSize() + " ranks at once")
                .row("  verify", entry.times().verifyMillis() + " ms")
                .row("committed by epoch", entry.epoch())
                .row("manifest", entry.manifest())
                .row("kept", kept(shown))
                .row("every byte read", verified(shown.verified()));
        Table files = Table.of("RANK", "BYTES", "SHA-256", "FILE").right(0, 1);
        shown.manifest()
                .units()
                .forEach(unit ->
                        files.row(unit.rank(), unit.size(), unit.sha256().substring(0, 12) + "…", unit.path()));
        return facts.render(Ansi.stdout()) + "\n" + files.render(Ansi.stdout());
    }

    private static String kept(Shown shown) {
        if (shown.pinned()) {
            return shown.abandoned() ? "pinned; no restart goes on from it by itself" : "pinned";
        }
        return shown.abandoned()
                ? "of a past that the job has left, until newer ones are there"
                : "until newer ones are there";
    }

    private static String verified(@Nullable Verification verified) {
        if (verified == null) {
            return "never; 'albm ckpt verify' does it";
        }
        return verified.at() + (verified.good() ? ": good" : ": BAD: " + verified.problem());
    }
}
