// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.node.NodeId;
import io.albm.storage.ScrubReport;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm storage add-node}. */
@Command(
        name = "add-node",
        description = {
            "Give a storage node that has joined its share of what is stored: what rendezvous hashing would have put there,"
                    + " and nothing else moves. New files use it from the moment it joins, without this.",
            "A node that was retired takes part again. Cut off, it can be run again, and goes on where it was."
        },
        footer = {"  albm run storage-node --id storage-6 --data /var/lib/albm", "  albm storage add-node storage-6"})
final class AddNodeCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Mixin
    private RateOption rate = new RateOption();

    @Parameters(paramLabel = "NODE", description = "The node that has joined.")
    private String node = "";

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, (store, cluster) -> {
            NodeId joined = Nodes.alive(node, store);
            RetiringMarks.clear(cluster, joined);
            ScrubReport report = fill(rate.in(store), joined);
            output.print(report, () -> MovedText.of(report));
            return MovedText.exitCode(report);
        });
    }

    private static ScrubReport fill(StripedStore store, NodeId joined) throws IOException {
        try (ProgressLine progress = ProgressLine.open("add-node", 0)) {
            return store.fill(joined, progress::blocks);
        }
    }
}
