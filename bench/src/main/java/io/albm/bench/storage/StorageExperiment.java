// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.compare.Surroundings;
import io.albm.bench.compare.Tools;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.ExperimentFiles;
import io.albm.core.cgroup.LimitedGroup;
import io.albm.core.cgroup.NotPermittedException;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.local.Installation;
import io.albm.core.log.Logging;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code albm experiment storage}. */
@Command(
        name = "storage",
        description = {
            "Paper P5's tables on this machine: bonnie++ on our mount, on the disk below it, and on peers.",
            "",
            "bonnie++ writes, rewrites and reads a file that is twice as large as the memory that it may use (a control group"
                    + " bounds it, page cache included), seeks in it, and creates and deletes empty files in order and at"
                    + " random. Our storage, GlusterFS (disperse with our redundancy, shard without any) and MooseFS (two"
                    + " copies) have five nodes each, all on one disk, and take turns; medians. Whoever serves them keeps what"
                    + " the kernel gives: only bonnie++ is short of memory. A rate that bonnie++ calls too fast to tell (its"
                    + " +++++) is no figure.",
            "",
            "Takes root. bonnie++: " + Bonnie.INSTALL + "; the peers: " + StorageBench.INSTALL
        })
public final class StorageExperiment extends BenchCommand {
    private static final Duration BOUND = Duration.ofMinutes(10);
    private static final List<Peer> PEERS = List.of(new Gluster(), new MooseFs());

    @Mixin
    private ExperimentFiles files = new ExperimentFiles();

    @Override
    protected BenchReport measure(boolean shorter) throws IOException {
        Logging.quiet();
        Contenders.requireRoot();
        Tools.require(Bonnie.INSTALL, Bonnie.PROGRAM);
        BonnieScale scale = shorter ? BonnieScale.quick() : BonnieScale.full();
        Installation installation = Installation.find();
        Figures figures = new Figures();
        try (ProcessGroup processes = ProcessGroup.in(installation.home().resolve("bench/target/experiment-storage"))) {
            Contenders contenders = Contenders.start(processes, installation, PEERS, figures, StorageExperiment::say);
            Load load = new Load(processes, StorageScale.quick());
            run(contenders, load, figures, scale);
            BonnieTables tables = new BonnieTables(figures, contenders.disk().name());
            files.write(Map.of("runs.csv", figures.csv(), "bonnie.svg", tables.chart()));
            return tables.report(surroundings(scale, contenders, figures));
        }
    }

    private static void run(Contenders contenders, Load load, Figures figures, BonnieScale scale) throws IOException {
        try (LimitedGroup memory = limited(scale)) {
            String members = memory.members().toString();
            for (Volume volume : contenders.volumes()) {
                say("warm-up: " + volume.name());
                bonnie(volume, load, members, BonnieScale.quick(), new Figures());
            }
            for (int round = 1; round <= scale.rounds(); round++) {
                say("round " + round + " of " + scale.rounds());
                for (Volume volume : contenders.volumes()) {
                    bonnie(volume, load, members, scale, figures);
                }
            }
        }
    }

    private static LimitedGroup limited(BonnieScale scale) throws IOException {
        try {
            return LimitedGroup.create("bonnie", ((long) scale.mebibytes() << 20) / Bonnie.MEMORY_SHARE);
        } catch (NotPermittedException e) {
            throw new CliException(ExitCode.NOT_ALLOWED, String.valueOf(e.getMessage()));
        }
    }

    private static void bonnie(Volume volume, Load load, String members, BonnieScale scale, Figures figures)
            throws IOException {
        try {
            load.dropCaches();
            List<String> command = Load.inside(volume, Bonnie.command(volume.file("bonnie"), members, scale));
            add(volume, Bonnie.fields(load.run(volume, Bonnie.PROGRAM, command, BOUND)), figures);
        } catch (CliException e) {
            if (load.isOver()) {
                throw new CliException(ExitCode.FAILED, "interrupted");
            }
            for (BonnieMetric metric : BonnieMetric.values()) {
                figures.fail(metric, volume.name(), String.valueOf(e.getMessage()));
            }
            say(volume.name() + ": does not count: " + e.getMessage());
        }
    }

    private static void add(Volume volume, String[] fields, Figures figures) {
        for (BonnieMetric metric : BonnieMetric.values()) {
            Optional<Double> rate = metric.of(fields);
            if (rate.isPresent()) {
                figures.add(metric, volume.name(), rate.get());
                say(String.format(
                        Locale.ROOT, "%s %s: %.0f %s", metric.text(), volume.name(), rate.get(), metric.unit()));
            } else {
                figures.fail(metric, volume.name(), "bonnie++ calls it too fast to tell");
            }
        }
    }

    private static void say(String line) {
        System.err.println(line);
    }

    private static Map<String, String> surroundings(BonnieScale scale, Contenders contenders, Figures figures)
            throws IOException {
        Map<String, String> all = Surroundings.machine();
        all.put(
                "load",
                "%s, %d rounds in turns, medians; a file of %d MiB in %d MiB of memory, %d empty files"
                        .formatted(
                                Tools.version("dpkg-query", "-W", "bonnie++"),
                                scale.rounds(),
                                scale.mebibytes(),
                                scale.mebibytes() / Bonnie.MEMORY_SHARE,
                                scale.thousands() << 10));
        all.put(
                "caches",
                "servers and bricks have the whole machine's page cache; the local disk has bonnie++'s share");
        all.putAll(contenders.versions());
        all.putAll(figures.notes());
        return all;
    }
}
