// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.node.NodeId;
import io.albm.storage.StorageException;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm storage retire}. */
@Command(
        name = "retire",
        description = {
            "Move all that a live storage node holds to the others, so that it can be stopped for good. It gets no new"
                    + " blocks from then on, until 'albm storage add-node'.",
            "Refused, exit 4, if too few nodes or failure domains would stay. Cut off, it can be run again, and goes on where it was.",
            "Exits 0 if the node holds nothing any more, 3 if it does: a write was under way, run it again."
        },
        footer = {"  albm storage retire storage-2", "  albm storage retire storage-2 --rate 50MiB"})
final class RetireCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Mixin
    private RateOption rate = new RateOption();

    @Parameters(paramLabel = "NODE", description = "The node that is to leave.")
    private String node = "";

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, (store, cluster) -> {
            NodeId leaving = Nodes.alive(node, store);
            store.checkRetirement(leaving);
            RetiringMarks.set(cluster, leaving);
            Departure retired = retire(rate.in(store), leaving);
            output.print(retired, () -> retired.text(leaving));
            return retired.exitCode();
        });
    }

    private static Departure retire(StripedStore store, NodeId leaving) throws IOException {
        try (ProgressLine progress = ProgressLine.open("retire", 0)) {
            Departure retired = Departure.of(store, leaving, null, progress::blocks);
            if (retired.blocksLeft() == null) {
                throw new StorageException.NodeUnreachable(leaving, "it does not say what it holds");
            }
            return retired;
        }
    }
}
