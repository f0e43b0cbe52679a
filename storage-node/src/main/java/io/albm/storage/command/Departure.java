// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.ExitCode;
import io.albm.core.node.NodeId;
import io.albm.storage.NodeSpace;
import io.albm.storage.ScrubProgress;
import io.albm.storage.ScrubReport;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was done for a node to leave, for programs, too.
 *
 * @param blocksLeft on the node: those of writes that were under way when it was marked; null if it does not answer
 */
record Departure(ScrubReport moved, @Nullable Long blocksLeft) {
    /** @param onto the node that takes all; null chooses one for each segment */
    static Departure of(StripedStore store, NodeId leaving, @Nullable NodeId onto, ScrubProgress.Listener listener)
            throws IOException {
        ScrubReport moved = store.replace(leaving, onto, listener);
        if (blocks(store, leaving).isEmpty()) {
            return new Departure(moved, null);
        }
        store.sweep(leaving);
        return new Departure(moved, blocks(store, leaving).orElse(null));
    }

    private static Optional<Long> blocks(StripedStore store, NodeId node) throws IOException {
        return Optional.ofNullable(store.space().nodes().get(node)).map(NodeSpace::blocks);
    }

    String text(NodeId node) {
        String text = MovedText.of(moved);
        if (blocksLeft == null) {
            return text;
        }
        return text + "\n"
                + (blocksLeft == 0
                        ? node + " holds nothing any more: stop it"
                        : node + " holds " + blocksLeft + " blocks still: run this again");
    }

    int exitCode() {
        if (!moved.failures().isEmpty()) {
            return ExitCode.FAILED;
        }
        return blocksLeft == null || blocksLeft == 0 ? ExitCode.DONE : ExitCode.DEGRADED;
    }
}
