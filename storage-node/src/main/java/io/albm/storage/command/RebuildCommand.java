// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.node.NodeId;
import io.albm.storage.ScrubProgress;
import io.albm.storage.ScrubReport;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm storage rebuild}. */
@Command(
        name = "rebuild",
        description = {
            "Make again all that a storage node should hold, from the other nodes.",
            "A node that is alive, with the same id and perhaps an empty disk, is filled in place.",
            "What a node held that is gone for good is moved to another node: one chosen for each file, or the one named,"
                    + " which is refused, exit 4, if a failure domain would have more units of a stripe than may be lost."
        },
        footer = {"  albm storage rebuild storage-2", "  albm storage rebuild storage-2 --onto storage-6"})
final class RebuildCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Mixin
    private RateOption rate = new RateOption();

    @Parameters(paramLabel = "NODE", description = "The node that was lost or replaced.")
    private String node = "";

    @Option(names = "--onto", paramLabel = "NODE", description = "The node that takes over what the lost one held.")
    private @Nullable String onto;

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, store -> {
            ScrubReport report = rebuild(rate.in(store));
            output.print(report, () -> ScrubText.of(report));
            return ScrubText.exitCode(report);
        });
    }

    private ScrubReport rebuild(StripedStore store) throws IOException {
        try (ProgressLine progress = ProgressLine.open("rebuild", 0)) {
            return rebuild(store, progress::blocks);
        }
    }

    private ScrubReport rebuild(StripedStore store, ScrubProgress.Listener listener) throws IOException {
        NodeId lost = Nodes.aliveOrMissed(node, store);
        if (onto == null) {
            return store.nodes().contains(lost)
                    ? store.scrub(Set.of(lost), listener)
                    : store.replace(lost, null, listener);
        }
        NodeId taker = Nodes.alive(onto, store);
        store.checkReplacement(lost, taker);
        return store.replace(lost, taker, listener);
    }
}
