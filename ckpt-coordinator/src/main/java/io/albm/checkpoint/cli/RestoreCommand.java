// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.control.StateCopies;
import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm ckpt restore}. */
@Command(
        name = "restore",
        description = {
            "Fetch the states of all ranks of a complete checkpoint into a new directory: rank-0, rank-1, … and"
                    + " manifest.json. Every byte is checked; the directory appears when all of it is there.",
            "The job is left alone; 'albm job run --from NUMBER' lets it go on from another checkpoint."
        },
        footer = {
            "  albm ckpt restore heat --to heat-states",
            "  albm ckpt restore heat --id 12 --to heat-12",
            "  albm ckpt restore heat --before 2026-03-01T14:30 --to before-lunch"
        })
final class RestoreCommand implements Callable<Integer> {
    private record Restored(long number, long step, int ranks, long bytes, String directory) {}

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private JobArgument job = new JobArgument();

    @Option(names = "--id", paramLabel = "N", description = "This checkpoint. Default: the newest")
    private @Nullable Long number;

    @Option(
            names = "--before",
            paramLabel = "TIME",
            description = "The newest that was saved at or before this time, such as 2026-03-01T14:30.")
    private @Nullable String before;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "DIR",
            description = "A directory that is not there yet, or empty.")
    private Path directory = Path.of("");

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        if (number != null && before != null) {
            throw new CliException(ExitCode.USAGE, "--id and --before both choose the checkpoint; give one of them");
        }
        Path target = directory.toAbsolutePath().normalize();
        refuseToOverwrite(target);
        try (JobAccess access = JobAccess.open(options)) {
            Committed entry = choose(new CheckpointChoice(access, job.store(access)));
            print(fetch(access, entry, target));
            return ExitCode.DONE;
        }
    }

    private Committed choose(CheckpointChoice choice) {
        if (number != null) {
            return choice.numbered(number);
        }
        return before == null ? choice.newest() : choice.before(before);
    }

    private static void refuseToOverwrite(Path target) throws IOException {
        if (Files.isDirectory(target)) {
            try (Stream<Path> content = Files.list(target)) {
                if (content.findAny().isEmpty()) {
                    return;
                }
            }
        }
        if (Files.exists(target)) {
            throw new CliException(
                    ExitCode.REFUSED, "'" + target + "' is there and not an empty directory; choose another --to");
        }
    }

    private Restored fetch(JobAccess access, Committed entry, Path target) throws IOException {
        Path partial = Files.createTempDirectory(
                Files.createDirectories(parent(target)), "." + target.getFileName() + ".partial-");
        StoredCheckpoint stored =
                new StoredCheckpoint(access.files(), job.store(access).paths(), entry);
        try (Progress progress = Progress.of("checkpoint " + entry.number(), entry.bytes())) {
            Manifest manifest =
                    access.files().run(() -> fetch(stored, partial, progress)).join();
            Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
            return new Restored(
                    entry.number(), entry.step(), manifest.units().size(), manifest.bytes(), target.toString());
        } catch (CompletionException e) {
            throw new CliException(
                    ExitCode.FAILED,
                    "checkpoint " + entry.number() + " cannot be fetched: " + reason(access, entry, e),
                    e);
        } finally {
            remove(partial);
        }
    }

    private String reason(JobAccess access, Committed entry, CompletionException failure) {
        return access.await(job.store(access).committed(entry.number())).isPresent()
                ? String.valueOf(JobAccess.cause(failure).getMessage())
                : "it was retired meanwhile; keep it with 'albm ckpt pin " + job.name() + " NUMBER' before";
    }

    private static Path parent(Path target) {
        Path parent = target.getParent();
        if (parent == null) {
            throw new CliException(ExitCode.USAGE, "--to '" + target + "' is no place for a directory");
        }
        return parent;
    }

    private static Manifest fetch(StoredCheckpoint stored, Path partial, Progress progress) throws IOException {
        Manifest manifest = stored.manifest();
        for (StoredUnit unit : manifest.units()) {
            try (FileChannel file = FileChannel.open(
                    partial.resolve("rank-" + unit.rank()),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE)) {
                String found = stored.states()
                        .restore(unit, file, StateCopies.NONE, () -> true)
                        .sha256();
                if (!found.equals(unit.sha256())) {
                    throw new IOException(
                            "state of rank " + unit.rank() + " has SHA-256 " + found + ", expected " + unit.sha256());
                }
                file.force(true);
                progress.advance(unit.size());
            }
        }
        Files.write(partial.resolve("manifest.json"), Json.bytes(manifest));
        return manifest;
    }

    /** What is left of a fetch that failed; nothing after one that did not. */
    private static void remove(Path partial) throws IOException {
        if (Files.isDirectory(partial)) {
            List<Path> left;
            try (Stream<Path> files = Files.list(partial)) {
                left = files.toList();
            }
            for (Path file : left) {
                Files.delete(file);
            }
            Files.delete(partial);
        }
    }

    private void print(Restored restored) {
        System.out.println(
                json
                        ? Json.text(restored)
                        : "checkpoint " + restored.number() + " of job " + job.name() + ", step " + restored.step()
                                + ": " + restored.ranks() + " ranks, " + restored.bytes() + " bytes in "
                                + restored.directory());
    }
}
