// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Looks at every block that should be on some nodes, has the node check it where it lies, and makes missing and corrupt
 * ones again from their stripes. Over one node that came back with an empty disk this is a rebuild. Afterwards it removes
 * from the nodes what no file and no write under way needs.
 *
 * <p>Removing is safe at any time because of the order of its questions: first what is on the node, then which writes are
 * announced, then which files there are. A writer announces before its first block and the announcement turns into the
 * file in one step; so a generation that was on the node and is found in neither place is garbage. It stays garbage unless a
 * {@link SegmentMove} that was cut off is run again and uses what it has left there: it seals that, and a node sweeps nothing that
 * was sealed since it was listed ({@link BlockClient#sweep}).
 */
final class Scrub {
    /** Under way, as far as {@link RepairMemory} lets them. */
    private static final int FILES = 8;

    private final StripedFiles files;
    private final Set<NodeId> nodes;
    private final ScrubTally tally;
    private final List<FileInfo> found;
    private final RepairMemory memory = new RepairMemory();

    private Scrub(StripedFiles files, Set<NodeId> nodes, List<FileInfo> found, ScrubProgress.Listener listener) {
        this.files = files;
        this.nodes = nodes;
        this.found = found;
        this.tally = new ScrubTally(new ScrubMeter(
                found.stream().mapToLong(file -> blocks(file, nodes)).sum(), listener));
    }

    /** Scrubs the blocks of all files on {@code nodes}. */
    static CompletableFuture<ScrubReport> run(StripedFiles files, Set<NodeId> nodes, ScrubProgress.Listener listener) {
        return files.list("/").thenCompose(found -> new Scrub(files, nodes, found, listener).run());
    }

    private static long blocks(FileInfo file, Set<NodeId> nodes) {
        return file.content().segments().stream()
                .filter(segment -> !segment.isInline())
                .mapToLong(segment -> blocks(segment, nodes))
                .sum();
    }

    private static long blocks(Segment segment, Set<NodeId> nodes) {
        StripeLayout layout = segment.layout();
        return segment.nodes().stream()
                .filter(nodes::contains)
                .mapToLong(node -> layout.blocksOn(node, segment.length()))
                .sum();
    }

    private CompletableFuture<ScrubReport> run() {
        List<NodeId> order = List.copyOf(nodes);
        return Lanes.run(found.size(), FILES, index -> file(found.get((int) index)))
                .thenCompose(nothing -> Lanes.run(order.size(), 1, index -> sweep(order.get((int) index))))
                .thenApply(nothing -> tally.report());
    }

    private CompletableFuture<Void> file(FileInfo file) {
        tally.files.increment();
        List<SegmentReader> segments = files.reader(file).segments();
        return Lanes.run(
                segments.size(),
                1,
                index -> new SegmentScrub(files, nodes, segments.get((int) index), tally, memory).run());
    }

    /** Removes the node's garbage, page by page. */
    private CompletableFuture<Void> sweep(NodeId node) {
        return new OrphanSweep(files, node, tally).run().exceptionally(failure -> {
            tally.failed(node, "sweep of " + node, StorageException.unwrap(failure));
            return null;
        });
    }
}
