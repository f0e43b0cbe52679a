// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.storage.FsckReport;
import io.albm.storage.ScrubReport;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm storage fsck}. */
@Command(
        name = "fsck",
        description = {
            "Hold names, inodes and link counts against each other, the blocks on all nodes against the files that need"
                    + " them, and where they lie against the nodes' failure domains. Others may go on working.",
            "With --disk, hold the blocks in the data directory of a storage node that does not run against their"
                    + " checksums, without any cluster.",
            "Exits 0 if all is well (or was repaired), 1 if something is damaged, 3 if a node did not answer, a failure"
                    + " domain has more units of a segment than may be lost, or blocks are left that no file needs."
        },
        footer = {
            "  albm storage fsck",
            "  albm storage fsck --deep --repair",
            "  albm storage fsck --disk /var/lib/albm"
        })
final class FsckCommand implements Callable<Integer> {
    private final DiskCheck diskCheck;

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Mixin
    private RateOption rate = new RateOption();

    @Option(names = "--deep", description = "Read and check every block, not only count them.")
    private boolean deep;

    @Option(
            names = "--repair",
            description =
                    "Then scrub: make again what blocks are missing or corrupt, remove what no file needs; move what a failure"
                            + " domain has too much of to others; and check once more.")
    private boolean repair;

    @Option(names = "--disk", paramLabel = "DIR", description = "Data directory of a storage node that does not run.")
    private @Nullable Path disk;

    FsckCommand(DiskCheck diskCheck) {
        this.diskCheck = diskCheck;
    }

    @Override
    public Integer call() throws IOException {
        if (disk == null) {
            return connection.with(StripeSettings.DEFAULT, store -> check(rate.in(store)));
        }
        if (repair || deep) {
            throw new CliException(
                    ExitCode.USAGE,
                    "--disk checks every block and repairs none: start the node, and its scrub makes them again");
        }
        return check(disk);
    }

    private int check(StripedStore store) throws IOException {
        FsckReport report = store.check(deep);
        if (repair && !report.clean()) {
            repair(store, report);
            report = store.check(deep);
        }
        FsckReport last = report;
        output.print(last, () -> text(last));
        if (last.clean()) {
            return ExitCode.DONE;
        }
        return last.whole() || !last.unreachable().isEmpty() ? ExitCode.DEGRADED : ExitCode.FAILED;
    }

    private static void repair(StripedStore store, FsckReport report) throws IOException {
        if (!report.whole() || report.orphans() > 0) {
            System.err.println("repair: " + ScrubText.of(scrub(store)));
        }
        if (report.crowded() > 0) {
            System.err.println("repair: " + MovedText.of(spread(store)));
        }
    }

    private static ScrubReport scrub(StripedStore store) throws IOException {
        try (ProgressLine progress = ProgressLine.open("repair", 0)) {
            return store.scrub(store.nodes(), progress::blocks);
        }
    }

    private static ScrubReport spread(StripedStore store) throws IOException {
        try (ProgressLine progress = ProgressLine.open("repair", 0)) {
            return store.spread(progress::blocks);
        }
    }

    private static String text(FsckReport report) {
        StringBuilder text =
                new StringBuilder("%d names, %d segments, %d blocks: %d stripes degraded, %d lost, %d orphans"
                        .formatted(
                                report.names(),
                                report.segments(),
                                report.blocks(),
                                report.degradedStripes(),
                                report.lostStripes(),
                                report.orphans()));
        if (report.unnamedInodes() > 0) {
            text.append("\n%d inodes have no name: removed files that are open".formatted(report.unnamedInodes()));
        }
        report.unreachable().forEach(node -> text.append("\nno answer: ").append(node));
        report.damage().forEach(damage -> text.append("\n").append(damage));
        text.append(MovedText.crowded(report.crowded()));
        return text.append("\n").append(verdict(report)).toString();
    }

    private static String verdict(FsckReport report) {
        if (!report.whole()) {
            return "DAMAGED";
        }
        if (report.crowded() > 0) {
            return "CROWDED";
        }
        return report.orphans() > 0 ? "LEFTOVERS: the next scrub removes them, or --repair" : "clean";
    }

    private int check(Path data) throws IOException {
        DiskCheck.Report report = read(data);
        output.print(report, () -> text(report));
        return report.damage().isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private DiskCheck.Report read(Path data) throws IOException {
        try (ProgressLine progress = ProgressLine.open("fsck", 0)) {
            return diskCheck.run(data, progress::bytes);
        } catch (NotDirectoryException none) {
            throw new CliException(
                    ExitCode.FAILED,
                    none.getFile() + ": no such directory, expected a storage node's data directory",
                    none);
        }
    }

    private static String text(DiskCheck.Report report) {
        StringBuilder text = new StringBuilder("%d good blocks (%s), %d temporary files"
                .formatted(report.blocks(), Sizes.text(report.bytes()), report.temporaries()));
        report.damage().forEach(damage -> text.append("\n").append(damage));
        return text.append(report.damage().isEmpty() ? "\nclean" : "\nDAMAGED").toString();
    }
}
