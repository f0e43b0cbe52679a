// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.bench.compare.Surroundings;
import io.albm.bench.lab.MemoryDirectory;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.Choice;
import io.albm.bench.report.ExperimentFiles;
import io.albm.bench.report.Runs;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.local.Installation;
import io.albm.core.log.Logging;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm experiment multistripe}. */
@Command(
        name = "multistripe",
        description = {
            "Paper P3's figures 3 and 4 and its Table 2 over shaped links: what each checkpoint scheme makes of the"
                    + " network.",
            "",
            "16 ranks, each a host of its own behind a switch (network namespaces, see scripts/lab), store their"
                    + " states in striped storage nodes on hosts behind the same switch: one or four of 100 Mbit, or on"
                    + " the ranks' own hosts, all of 25 Mbit. The coordinator's schemes say who writes when; clients,"
                    + " nodes and credit are those of 'albm run storage-node'. Beside it nobody, datagrams at 50 or 80 %%"
                    + " of each port, or long TCP flows want the ports. Schemes take turns with plain TCP to a sink;"
                    + " medians of the rounds.",
            "",
            "It takes root, and files in /dev/shm. All of it is gone afterwards; after a SIGKILL, files with the next start."
        })
public final class MultistripeExperiment extends BenchCommand {
    @Option(
            names = "--ports",
            paramLabel = "N",
            split = ",",
            description = "Numbers of I/O nodes, of 1, 4 and 16 (default: all; --quick: 1 and 16).")
    private List<Integer> ports = List.of();

    @Option(
            names = "--buffers",
            paramLabel = "KB",
            split = ",",
            description = "Buffers of the switch's ports, 4 to 4096 KB (default: 16,64,256; --quick: 64).")
    private List<Integer> buffers = List.of();

    @Option(
            names = "--loads",
            paramLabel = "NAME",
            split = ",",
            description = "Other traffic: none, half, most, flows (default: all; --quick: none and most).")
    private List<String> loads = List.of();

    @Option(
            names = "--schemes",
            paramLabel = "NAME",
            split = ",",
            description = "Schemes that take part beside plain TCP (default: all).")
    private List<String> schemes = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Turns of each scheme, 1 to 9 (default: 3; --quick: 1).")
    private int rounds;

    @Mixin
    private ExperimentFiles files = new ExperimentFiles();

    @Override
    protected BenchReport measure(boolean shorter) throws IOException, InterruptedException {
        Logging.quiet();
        StripePlan plan = (shorter ? StripePlan.quick() : StripePlan.full())
                .with(
                        within("--ports", ports, port -> port == 1 || port == 4 || port == Scene.RANKS, "1, 4 or 16"),
                        within("--buffers", buffers, kilobytes -> kilobytes >= 4 && kilobytes <= 4096, "4 to 4096"),
                        loads.stream()
                                .map(name -> Choice.of("--loads", name, List.of(Load.values()), Load::option))
                                .toList(),
                        within("--rounds", List.of(rounds), count -> count >= 0 && count <= 9, "1 to 9")
                                .getFirst());
        List<Scheme> contenders = contenders();
        Path home = Installation.find().home();
        List<StripeCell> cells = new ArrayList<>();
        List<GroupSizes.Row> sizes;
        try (MemoryDirectory memory = MemoryDirectory.make(MemoryDirectory.IN_MEMORY);
                ProcessGroup processes = ProcessGroup.in(memory.path());
                Names names = Names.start(memory.path().resolve("zookeeper"))) {
            Stage stage = new Stage(processes, home, memory.path().resolve("blocks"), names.table());
            stage.warmUp(contenders);
            for (Scene scene : plan.scenes()) {
                System.err.println(scene.text());
                cells.addAll(stage.run(scene, contenders, System.err::println));
            }
            sizes = stage.groupSizes(plan.checkpoints());
        }
        files.write(Map.of(
                "runs.csv", new Runs<>(cells).csv(StripeCell.HEADER),
                "figure3.svg", StripeVerdict.figure3(cells),
                "figure4.svg", StripeVerdict.figure4(cells),
                "table2.csv", GroupSizes.csv(sizes)));
        return StripeVerdict.of(cells, surroundings(sizes));
    }

    /** Figures beside the time are in the JSON and in runs.csv: nobody reads hundreds of lines. */
    @Override
    protected BenchReport shown(BenchReport report) {
        return new BenchReport(
                report.results().stream()
                        .filter(result -> result.unit().equals(StripeVerdict.SECONDS))
                        .toList(),
                report.targets(),
                report.environment());
    }

    private List<Scheme> contenders() {
        List<Scheme> all = Scheme.all();
        return schemes.isEmpty()
                ? all
                : schemes.stream()
                        .map(name -> Choice.of("--schemes", name, all, Scheme::name))
                        .toList();
    }

    private static List<Integer> within(
            String option, List<Integer> values, Predicate<Integer> isRight, String expected) {
        for (Integer value : values) {
            if (!isRight.test(value)) {
                throw new CliException(ExitCode.USAGE, option + " " + value + ": expected " + expected);
            }
        }
        return values;
    }

    private static Map<String, String> surroundings(List<GroupSizes.Row> sizes) throws IOException {
        Map<String, String> all = Surroundings.machine();
        all.put(
                "lab",
                "%d ranks; tbf with a burst of 8000 bytes, frames as on the wire, cubic; storage without parity, blocks in memory"
                        .formatted(Scene.RANKS));
        for (GroupSizes.Row row : sizes) {
            all.put("multistriped's group sizes, load " + row.meanPercent() + " %", row.text());
        }
        return all;
    }
}
