// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.Ansi;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.storage.NodeInfo;
import io.albm.storage.NodeSpace;
import io.albm.storage.StripeSettings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code albm storage nodes}. */
@Command(
        name = "nodes",
        description = {
            "Show the storage nodes and how they take part: serving, retiring (gets no new blocks), retired (has left),"
                    + " silent (does not answer).",
            "Exits 3 if a node is silent."
        },
        footer = "  albm storage nodes --json")
final class NodesCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, store -> {
            List<NodeInfo> nodes = store.nodeInfos();
            output.print(nodes, () -> table(nodes));
            return nodes.stream().anyMatch(node -> node.state() == NodeInfo.State.SILENT)
                    ? ExitCode.DEGRADED
                    : ExitCode.DONE;
        });
    }

    private static String table(List<NodeInfo> nodes) {
        Table table =
                Table.of("NODE", "STATE", "CAPACITY", "USED", "FULL", "BLOCKS").right(2, 3, 4, 5);
        for (NodeInfo node : nodes) {
            NodeSpace space = node.space();
            if (space == null) {
                table.row(node.id(), node.state(), "-", "-", "-", "-");
            } else {
                table.row(
                        node.id(),
                        node.state(),
                        Sizes.text(space.capacity()),
                        Sizes.text(space.used()),
                        100 * space.used() / Math.max(1, space.capacity()) + " %",
                        space.blocks());
            }
        }
        return table.render(Ansi.stdout()).stripTrailing();
    }
}
