// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Removes from one node the generations that no file and no write under way needs; {@link Scrub} says why that is safe. */
final class OrphanSweep {
    private final StripedFiles files;
    private final NodeId node;
    private final ScrubTally tally;

    OrphanSweep(StripedFiles files, NodeId node, ScrubTally tally) {
        this.files = files;
        this.node = node;
        this.tally = tally;
    }

    CompletableFuture<Void> run() {
        return page(null);
    }

    private CompletableFuture<Void> page(@Nullable Generation after) {
        return files.blocks()
                .generations(node, after)
                .thenCompose(page -> remove(page)
                        .thenCompose(nothing -> page.more()
                                ? page(page.generations().getLast())
                                : CompletableFuture.completedFuture(null)));
    }

    private CompletableFuture<Void> remove(GenerationPage page) {
        List<String> names =
                page.generations().stream().map(Generation::toString).toList();
        return files.table()
                .ask(new TableQuery.Unneeded(node, names))
                .thenCompose(unneeded -> remove(unneeded.generations(), page.listing()));
    }

    private CompletableFuture<Void> remove(List<String> orphans, long listing) {
        return Lanes.run(
                orphans.size(),
                1,
                index -> files.blocks()
                        .sweep(node, Generation.parse(orphans.get((int) index)), listing)
                        .thenAccept(gone -> tally.orphans.add(gone ? 1 : 0)));
    }
}
