// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.core.json.Json;
import io.albm.placement.policy.NodeLoad;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code albm placement nodes}. */
@Command(
        name = "nodes",
        description = "Show the nodes whose agents report: memory, what is free of it, and memory pressure.",
        footer = {"  albm placement nodes", "  albm placement nodes --zookeeper rack-1:2181 --json"})
final class NodesCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(names = "--json", description = "Print a JSON array.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        List<NodeLoad> nodes = ClusterNodes.reported(cluster);
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? Json.pretty(nodes) + "\n" : table(nodes));
        out.flush();
        return ExitCode.DONE;
    }

    private static String table(List<NodeLoad> nodes) {
        Table table = Table.of("NODE", "MEMORY", "USED", "FREE", "PRESSURE").right(1, 2, 3, 4);
        for (NodeLoad node : nodes) {
            table.row(
                    node.node(),
                    Text.mebibytes(node.capacityBytes()),
                    Text.mebibytes(node.usedByOthersBytes()),
                    Text.mebibytes(node.freeBytes()),
                    Text.percent(node.memoryPressure()));
        }
        return table.render(Ansi.stdout());
    }
}
