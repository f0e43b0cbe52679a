// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.Ansi;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.storage.FailureDomain;
import io.albm.storage.NodeInfo;
import io.albm.storage.NodeSpace;
import io.albm.storage.StripeSettings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code albm storage nodes}. */
@Command(
        name = "nodes",
        description = {
            "Show the storage nodes, what they fail with, and how they take part: serving, retiring (gets no new blocks),"
                    + " retired (has left), silent (does not answer).",
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
            output.print(nodes, () -> table(nodes) + warning(nodes, store.parityUnits()));
            return nodes.stream().anyMatch(node -> node.state() == NodeInfo.State.SILENT)
                    ? ExitCode.DEGRADED
                    : ExitCode.DONE;
        });
    }

    private static String table(List<NodeInfo> nodes) {
        Table table = Table.of("NODE", "STATE", "DOMAIN", "CAPACITY", "USED", "FULL", "BLOCKS")
                .right(3, 4, 5, 6);
        for (NodeInfo node : nodes) {
            String domain =
                    Optional.ofNullable(node.domain()).map(FailureDomain::value).orElse("-");
            NodeSpace space = node.space();
            if (space == null) {
                table.row(node.id(), node.state(), domain, "-", "-", "-", "-");
            } else {
                table.row(
                        node.id(),
                        node.state(),
                        domain,
                        Sizes.text(space.capacity()),
                        Sizes.text(space.used()),
                        100 * space.used() / Math.max(1, space.capacity()) + " %",
                        space.blocks());
            }
        }
        return table.render(Ansi.stdout()).stripTrailing();
    }

    /** A line if failure domains are named, and the loss of one would not be borne. */
    private static String warning(List<NodeInfo> nodes, int parityUnits) {
        boolean areNamed = nodes.stream()
                .anyMatch(node -> node.domain() != null && !node.domain().equals(FailureDomain.of(node.id())));
        Set<FailureDomain> domains = nodes.stream()
                .filter(node -> node.state() != NodeInfo.State.RETIRING)
                .flatMap(node -> Optional.ofNullable(node.domain()).stream())
                .collect(Collectors.toSet());
        if (areNamed && parityUnits == 0) {
            return "\nparity is 0: the loss of a failure domain is not borne";
        }
        return areNamed && domains.size() == 1
                ? "\nall nodes are in one failure domain, whose loss is not borne: name the nodes' racks in 'failure-domain'"
                : "";
    }
}
