// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.LiveRouting;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.process.Roles;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.ExperimentFiles;
import io.albm.core.cgroup.NotPermittedException;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.Cluster;
import io.albm.core.local.Installation;
import io.albm.core.log.Logging;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.distributor.routing.RoutingPolicies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm experiment albm}. */
@Command(
        name = "albm",
        description = {
            "Paper P1's section 4 on this machine: servers that run short of memory, and what each policy makes of it.",
            "",
            "Four servers of 512 MB each (memory control groups, where the kernel lets us), each with its agent, answer 50 %% requests for a byte,"
                    + " 40 %% that hold 5 MB and 10 %% that hold 15 MB for a second. Clients, six requests each at a time,"
                    + " grow from 1 to 36. The distributor's policies and haproxy (round robin, leastconn, leastconn with"
                    + " a maxconn per class) take turns at each step. Goodput is what is answered within 4 s.",
            "",
            "Control groups need root, or a delegated cgroup v2; without, servers are plain processes that keep to the limit by"
                    + " themselves. Needs a disk, and haproxy for the rivals: apt-get install haproxy"
        })
public final class AlbmExperiment extends BenchCommand {
    private static final String CLUSTER = "albm";

    /** Servers that were short of memory are well again within seconds. Each variant waits for the end of what the last one left. */
    private static final String EJECTION = "10s";

    @Option(
            names = "--policies",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "round-robin,least-connections,albm-threshold,albm",
            description = "Policies of ours that take part (default: ${DEFAULT-VALUE}).")
    private List<String> policies = List.of();

    @Option(
            names = "--clients",
            paramLabel = "N",
            split = ",",
            description = "Numbers of clients, instead of the steps to 36; the last is the highest load.")
    private List<Integer> clients = List.of();

    @Option(
            names = "--maxconn",
            paramLabel = "FIVE/FIFTEEN",
            split = ",",
            defaultValue = "36/9,38/10,40/10",
            converter = MaxConnConverter.class,
            description = "Connections of each class to a server that haproxy may have, a rival for each pair"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Haproxy.MaxConn> limits = List.of();

    @Option(
            names = "--thresholds",
            paramLabel = "LEVELS",
            defaultValue = "available-memory=100MiB:134MiB",
            description =
                    "Levels at which our distributor relieves a server, and up to which it fills one, as its option"
                            + " thresholds takes them (default: ${DEFAULT-VALUE}).")
    private String thresholds = "";

    @Option(
            names = "--limited-by",
            paramLabel = "WHO",
            description =
                    "Who limits the servers' memory: KERNEL (control groups) or PROCESS (plain processes, by themselves);"
                            + " default: the kernel if it lets us.")
    private @Nullable LimitedBy limitedBy;

    @Mixin
    private ExperimentFiles files = new ExperimentFiles();

    @Override
    protected BenchReport measure(boolean shorter) throws IOException, InterruptedException {
        Logging.quiet();
        Plan pace = shorter ? Plan.quick() : Plan.full();
        Plan plan = clients.isEmpty() ? pace : pace.with(clients);
        LimitedBy by = limitedBy == null ? LimitedBy.whomWeMayAsk(AlbmExperiment::say) : limitedBy;
        System.err.println("servers: " + by.description());
        Measured measured = measure(plan, by);
        files.write(Map.of("runs.csv", measured.runs().csv(Cell.HEADER), "figure4.svg", measured.figure4()));
        return Verdict.of(measured, Map.of("servers", by.description()));
    }

    private Measured measure(Plan plan, LimitedBy by) throws IOException, InterruptedException {
        Installation installation = Installation.find();
        try (ProcessGroup processes = ProcessGroup.in(installation.home().resolve("bench/target/experiment-albm"))) {
            Roles roles = Roles.start(processes, installation);
            try (Cluster cluster = ZooKeeperCluster.connect(roles.zooKeeper().toString(), CLUSTER);
                    Fleet fleet = new Fleet(processes, roles, cluster, by)) {
                List<Variant> variants = new ArrayList<>(ours(roles, cluster));
                variants.addAll(Haproxy.start(processes, fleet.servers(), limits));
                try (Lvs lvs = Lvs.start(processes, fleet.servers(), AlbmExperiment::say)) {
                    lvs.variant().ifPresent(variants::add);
                    return new MemoryExperiment(fleet, variants, plan, AlbmExperiment::say).run();
                }
            }
        } catch (NotPermittedException e) {
            throw new CliException(ExitCode.NOT_ALLOWED, String.valueOf(e.getMessage()));
        }
    }

    private static void say(String line) {
        System.err.println(line);
    }

    private List<Variant> ours(Roles roles, Cluster cluster) throws IOException {
        ChildProcess distributor = roles.start(
                "distributor",
                "distributor",
                List.of("--port", "0", "--thresholds", thresholds, "--ejection-max-time", EJECTION));
        var http = Roles.endpoint(distributor, "http");
        var routing = new LiveRouting(cluster, Roles.endpoint(distributor, "admin"));
        List<Variant> ours = new ArrayList<>();
        for (String policy : policies) {
            if (RoutingPolicies.names().contains(policy)) {
                ours.add(new OurPolicy(policy, routing, http));
            } else {
                System.err.println("no policy '" + policy + "': left out");
            }
        }
        return ours;
    }
}
