// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.node.NodeId;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm storage replace}. */
@Command(
        name = "replace",
        description = {
            "Move all that a storage node holds to another one, which takes its place; it gets no new blocks from then"
                    + " on. What it cannot give, because it is gone, is made from the others.",
            "Refused, exit 4, if a failure domain would have more units of a stripe than may be lost. Cut off, it can be run"
                    + " again, and goes on where it was.",
            "Exits 0 if the old node holds nothing any more or does not answer, 3 if it holds something: a write was under"
                    + " way, run it again."
        },
        footer = "  albm storage replace storage-2 storage-6")
final class ReplaceCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Mixin
    private RateOption rate = new RateOption();

    @Parameters(paramLabel = "OLD", description = "The node that is replaced, alive or not.")
    private String old = "";

    @Parameters(paramLabel = "NEW", description = "The node that takes its place.")
    private String replacement = "";

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, (store, cluster) -> {
            NodeId onto = Nodes.alive(replacement, store);
            NodeId leaving = Nodes.aliveOrMissed(old, store);
            store.checkReplacement(leaving, onto);
            RetiringMarks.set(cluster, leaving);
            Departure replaced = replace(rate.in(store), leaving, onto);
            output.print(replaced, () -> replaced.text(leaving));
            return replaced.exitCode();
        });
    }

    private static Departure replace(StripedStore store, NodeId leaving, NodeId onto) throws IOException {
        try (ProgressLine progress = ProgressLine.open("replace", 0)) {
            return Departure.of(store, leaving, onto, progress::blocks);
        }
    }
}
