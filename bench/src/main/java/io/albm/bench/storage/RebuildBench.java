// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.compare.Surroundings;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Target;
import io.albm.core.cgroup.NotPermittedException;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.config.Key;
import io.albm.core.local.Installation;
import io.albm.core.log.Logging;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code albm bench storage-rebuild}. */
@Command(
        name = "storage-rebuild",
        description = {
            "Loses the disk of a storage node, and measures how fast an empty one gets what was on it, and what that costs"
                    + " those who use the storage meanwhile.",
            "",
            "Five nodes with four data units and a parity unit in a stripe, as shipped. The node that is lost has a disk for"
                    + " itself, the others keep their blocks in memory, as if each had a disk of its own; all of them share the"
                    + " processors. The speed is compared with that of one file that is written to the same disk, fsync"
                    + " included, before each rebuild. Then somebody writes and reads a file through a mount, first while"
                    + " nothing is made again, then during a rebuild. What comes to the new disk is compared with what was"
                    + " lost.",
            "",
            "With --disk-rate, that disk is one that takes so many bytes per second, as far as its node and whoever it is"
                    + " compared with can tell: both write past the page cache then (direct-io).",
            "",
            "Takes root, and memory for the blocks of four nodes (8 GB; 3 GB with --quick)."
        })
public final class RebuildBench extends BenchCommand {
    private static final double LEAST_OF_DISK = 0.5;
    private static final double LEAST_OF_FOREGROUND = 0.7;
    private static final double MOST_MOVED = 1.1;

    private static final Key<Long> DISK_RATE = Key.size(
            "disk-rate", 1L << 30, 1 << 20, Long.MAX_VALUE, "Bytes per second that the lost node's disk takes.");

    @Option(
            names = "--disk-rate",
            paramLabel = "SIZE",
            description = "Hold what is written to the lost node's disk to that much per second, such as 200 MiB."
                    + " Unless given, it is as fast as it is.")
    private @Nullable String diskRate;

    @Override
    protected BenchReport measure(boolean shorter) throws IOException {
        Logging.quiet();
        Contenders.requireRoot();
        RebuildScale scale = shorter ? RebuildScale.quick() : RebuildScale.full();
        Installation installation = Installation.find();
        try (LostDisk disk = disk(installation);
                ProcessGroup processes = ProcessGroup.in(installation.home().resolve("bench/target/bench-rebuild"))) {
            AlbmStorage ours = new AlbmStorage(processes, installation, disk);
            RebuildRuns runs = new RebuildRuns(ours, disk, processes, scale, System.err::println);
            runs.run();
            return report(runs, scale);
        }
    }

    private LostDisk disk(Installation installation) throws IOException {
        if (diskRate == null) {
            return LostDisk.asItIs();
        }
        long rate = DISK_RATE.parse(diskRate, "command line --disk-rate");
        try {
            return LostDisk.heldTo(rate, installation.home());
        } catch (NotPermittedException e) {
            throw new CliException(ExitCode.NOT_ALLOWED, "--disk-rate: " + e.getMessage());
        }
    }

    private BenchReport report(RebuildRuns runs, RebuildScale scale) throws IOException {
        Figures figures = runs.figures();
        return new BenchReport(
                figures.results(),
                List.of(
                        figures.judge(
                                "rebuild-speed", List.of(RebuildMeasure.SPEED), RebuildMeasure.DISK, LEAST_OF_DISK),
                        figures.judge(
                                "rebuild-foreground",
                                List.of(RebuildMeasure.FOREGROUND),
                                RebuildMeasure.NO_REBUILD,
                                LEAST_OF_FOREGROUND),
                        Target.atMost("rebuild-moves", runs.mostMoved(), MOST_MOVED)),
                surroundings(scale));
    }

    private Map<String, String> surroundings(RebuildScale scale) throws IOException {
        Map<String, String> all = Surroundings.machine();
        all.put(
                "load",
                "%d files of %d MiB on five nodes; %d rebuilds of a node that nobody else uses, %d with somebody who writes and"
                                .formatted(scale.files(), scale.mebibytes(), scale.rounds(), scale.rounds())
                        + " reads a file of %d MiB all the time; medians".formatted(scale.mebibytes()));
        all.put("disk of the lost node", diskRate == null ? "as fast as it is" : "held to " + diskRate + " per second");
        return all;
    }
}
