// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.core.json.Json;
import io.albm.placement.policy.Container;
import io.albm.placement.policy.NodeLoad;
import io.albm.placement.policy.Placement;
import io.albm.placement.policy.PlacementPlan;
import io.albm.placement.policy.PlacementPolicies;
import io.albm.placement.policy.PlacementPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code albm placement plan}. */
@Command(
        name = "plan",
        description = {
            "Show where containers would go, and why; changes nothing.",
            "A container is NAME[*COUNT]=RESERVED[:WORKING_SET[:PRESSURE]]: memory that is promised to it, memory that"
                    + " it was measured to keep in use, and the share of time that it waited for memory."
        },
        footer = {
            "  albm placement plan web*3=512MiB db=2GiB:3GiB",
            "  albm placement plan --policy spread --containers job.txt"
        })
final class PlanCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            defaultValue = "interference-aware",
            description = "interference-aware or spread. Default: ${DEFAULT-VALUE}")
    private String policy = "";

    @Option(
            names = "--containers",
            paramLabel = "FILE",
            description = "Read containers from this file, one a line; '#' begins a comment.")
    private @Nullable Path file;

    @Parameters(paramLabel = "CONTAINER", arity = "0..*", description = "Containers, placed in this order.")
    private List<String> specs = new ArrayList<>();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        PlacementPolicy chosen = policy();
        List<Container> containers = containers();
        PlacementPlan plan = PlacementPlan.of(chosen, containers, nodes());
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? Json.pretty(plan) + "\n" : table(plan));
        out.flush();
        return plan.isComplete() ? ExitCode.DONE : ExitCode.REFUSED;
    }

    private PlacementPolicy policy() {
        try {
            return PlacementPolicies.named(policy);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private List<Container> containers() throws IOException {
        List<String> all = new ArrayList<>(specs);
        if (file != null) {
            all.addAll(Files.readAllLines(file));
        }
        List<Container> containers = all.stream()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .flatMap(line -> ContainerSpec.parse(line).stream())
                .toList();
        if (containers.isEmpty()) {
            throw new CliException(
                    ExitCode.USAGE, "no containers: name them, such as web*3=512MiB, or --containers FILE");
        }
        return containers;
    }

    private List<NodeLoad> nodes() {
        List<NodeLoad> nodes = ClusterNodes.reported(cluster);
        if (nodes.isEmpty()) {
            throw new CliException(
                    ExitCode.DEGRADED, "no node reports its memory: run an agent on each ('albm run agent')");
        }
        return nodes;
    }

    private static String table(PlacementPlan plan) {
        Table table =
                Table.of("CONTAINER", "RESERVED", "WORKING SET", "NODE", "WHY").right(1, 2);
        for (PlacementPlan.Step step : plan.steps()) {
            table.row(
                    step.container().name(),
                    Text.mebibytes(step.container().reservedBytes()),
                    Text.mebibytes(step.container().workingSetBytes()),
                    node(step.placement()),
                    step.placement().reason());
        }
        return table.render(Ansi.stdout());
    }

    private static String node(Placement placement) {
        return switch (placement) {
            case Placement.Placed placed -> placed.node().value();
            case Placement.Refused _ -> "-";
        };
    }
}
