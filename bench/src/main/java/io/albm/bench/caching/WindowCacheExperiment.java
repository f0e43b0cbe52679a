// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.caching;

import io.albm.bench.compare.Surroundings;
import io.albm.bench.load.DocumentTree;
import io.albm.bench.load.Users;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.process.Roles;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.Choice;
import io.albm.bench.report.ExperimentFiles;
import io.albm.bench.report.Runs;
import io.albm.cache.policy.EvictionPolicies;
import io.albm.core.local.Installation;
import io.albm.core.log.Logging;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm experiment window-cache}. */
@Command(
        name = "window-cache",
        description = {
            "Paper P2's figures 6 and 7 on this machine: cache servers before a slow disk, and what each policy makes of it.",
            "",
            "250 to 400 user equivalents of SURGE ask for 2000 files (lognormal body, Pareto tail; Zipf popularity; HTTP/1.0)"
                    + " of a cache server, the process that 'albm run cache-server' starts, a tenth of whose documents fit in"
                    + " its memory. It reads past the kernel's page cache, from a disk that the kernel holds to 60 reads and"
                    + " 20 MB a second. The policies take turns at each number of users, asked by the same users; at the highest"
                    + " there are three rounds, medians. Response time is from the connect to the last byte.",
            "",
            "To slow a disk needs root, control groups with block throttling, and a directory on a disk."
        })
public final class WindowCacheExperiment extends BenchCommand {
    private static final int DOCUMENTS = 2000;
    private static final long SEED = 7;
    private static final int CACHED_SHARE = 10;

    @Option(
            names = "--policies",
            paramLabel = "NAME",
            split = ",",
            description = "Policies that take part; lru is always one of them (default: all).")
    private Set<String> policies = new LinkedHashSet<>(EvictionPolicies.names());

    @Option(
            names = "--users",
            paramLabel = "N",
            split = ",",
            description = "Numbers of user equivalents, instead of 250,300,350,400; the last is the highest load.")
    private List<Integer> users = List.of();

    @Option(
            names = "--readers",
            paramLabel = "N",
            defaultValue = "16",
            description = "Files that a server reads at once (default: ${DEFAULT-VALUE}).")
    private int readers;

    @Mixin
    private ExperimentFiles files = new ExperimentFiles();

    @Override
    protected BenchReport measure(boolean shorter) throws IOException, InterruptedException {
        Logging.quiet();
        WindowPlan pace = shorter ? WindowPlan.quick() : WindowPlan.full();
        WindowPlan plan = users.isEmpty() ? pace : pace.with(users);
        List<String> names = checkedPolicies();
        Installation installation = Installation.find();
        Path base = installation.home().resolve("bench/target/experiment-window-cache");
        try (ProcessGroup processes = ProcessGroup.in(base);
                SlowDisk disk = SlowDisk.under(processes.directory(), "disk", WindowCacheExperiment::say)) {
            System.err.println("disk: " + disk.description());
            DocumentTree documents = DocumentTree.generate(processes.directory().resolve("documents"), SEED, DOCUMENTS);
            List<WindowRuns.Contender> servers = start(processes, installation, disk, documents, names);
            Runs<WindowCell> runs =
                    new WindowRuns(servers, new Users(documents, SEED), disk, plan, WindowCacheExperiment::say).run();
            files.write(Map.of(
                    "runs.csv", runs.csv(WindowCell.HEADER),
                    "figure6.svg", WindowVerdict.figure6(runs),
                    "figure7.svg", WindowVerdict.figure7(runs)));
            return WindowVerdict.of(runs, disk.whyNotSlow(), surroundings(disk, documents));
        }
    }

    private static void say(String line) {
        System.err.println(line);
    }

    private List<String> checkedPolicies() {
        Set<String> names = new LinkedHashSet<>(List.of(WindowVerdict.BASELINE));
        for (String policy : policies) {
            names.add(Choice.of("--policies", policy, EvictionPolicies.names(), Function.identity()));
        }
        return List.copyOf(names);
    }

    /** All of them at once: those whose turn it is not do nothing. */
    private List<WindowRuns.Contender> start(
            ProcessGroup processes,
            Installation installation,
            SlowDisk disk,
            DocumentTree documents,
            List<String> names)
            throws IOException {
        Roles roles = Roles.start(processes, installation);
        List<WindowRuns.Contender> servers = new ArrayList<>();
        for (String policy : names) {
            List<String> options = List.of(
                    "--capacity", Long.toString(documents.totalBytes() / CACHED_SHARE),
                    "--policy", policy,
                    "--readers", Integer.toString(readers));
            servers.add(new WindowRuns.Contender(
                    policy, CacheServerProcess.start(roles, disk, "cache-" + policy, documents, options)));
        }
        return servers;
    }

    private Map<String, String> surroundings(SlowDisk disk, DocumentTree documents) throws IOException {
        Map<String, String> all = Surroundings.machine();
        all.put("disk", disk.description());
        all.put(
                "documents",
                "%d of %.1f MB together, a tenth of which fits; read past the page cache, %d readers"
                        .formatted(documents.documents().size(), documents.totalBytes() / 1e6, readers));
        return all;
    }
}
