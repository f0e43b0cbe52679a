// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Looks at every block that should be on some nodes, has the node check it where it lies, and makes missing and corrupt
 * ones again from their stripes. Over one node that came back with an empty disk this is a rebuild. Afterwards it removes
 * from the nodes what no file and no write under way needs.
 *
 * <p>Removing is safe at any time because of the order of its questions: first what is on the node, then which writes are
 * announced, then which files there are. A writer announces before its first block and the announcement turns into the
 * file in one step; so a generation that was on the node and is found in neither place is garbage. It stays garbage unless a
 * {@link SegmentMove} that was cut off is run again and uses what it has left there: it seals that, and a node sweeps nothing that
 * was sealed since it was listed ({@link BlockClient#sweep}). That is also why no block is held against the table before it is
 * written back: one that comes too late for its file is garbage.
 */
final class Scrub {
    /** Files under way, and stripes of each, as far as {@link RepairMemory} lets them. */
    private static final int STRIPES = 8;

    private final StripedFiles files;
    private final Set<NodeId> nodes;
    private final ScrubTally tally;
    private final List<FileInfo> found;
    private final RepairMemory memory = new RepairMemory();

    private Scrub(StripedFiles files, Set<NodeId> nodes, List<FileInfo> found, ScrubProgress.Listener listener) {
        this.files = files;
        this.nodes = nodes;
        this.found = found;
        this.tally = new ScrubTally(
                found.stream().mapToLong(file -> blocks(file, nodes)).sum(), listener);
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
        return Lanes.run(found.size(), STRIPES, index -> file(found.get((int) index)))
                .thenCompose(nothing -> Lanes.run(order.size(), 1, index -> sweep(order.get((int) index))))
                .thenApply(nothing -> tally.report());
    }

    private CompletableFuture<Void> file(FileInfo file) {
        tally.files.increment();
        List<SegmentReader> segments = files.reader(file).segments();
        return Lanes.run(segments.size(), 1, index -> segment(segments.get((int) index)));
    }

    private CompletableFuture<Void> segment(SegmentReader reader) {
        Set<NodeId> healed = ConcurrentHashMap.newKeySet();
        return Lanes.run(
                        reader.stripes(),
                        STRIPES,
                        stripe -> memory.run(reader.repairBytes(), () -> stripe(reader, stripe, healed)))
                .thenCompose(nothing -> seal(reader, List.copyOf(healed)));
    }

    private CompletableFuture<Void> seal(SegmentReader reader, List<NodeId> healed) {
        return Lanes.run(
                healed.size(),
                1,
                index -> reader.seal(healed.get((int) index))
                        .<Void>thenApply(count -> null)
                        .exceptionally(failure ->
                                note(healed.get((int) index), reader.file().path(), StorageException.unwrap(failure))));
    }

    private CompletableFuture<Void> stripe(SegmentReader reader, long stripe, Set<NodeId> healed) {
        StripeLayout layout = reader.layout();
        int[] units = IntStream.range(0, layout.geometry().width())
                .filter(unit -> nodes.contains(layout.nodeOf(stripe, unit)) && reader.length(stripe, unit) > 0)
                .toArray();
        return Lanes.run(units.length, 1, index -> unit(reader, stripe, units[(int) index], healed));
    }

    private CompletableFuture<Void> unit(SegmentReader reader, long stripe, int unit, Set<NodeId> healed) {
        NodeId node = reader.layout().nodeOf(stripe, unit);
        if (tally.unreachable.contains(node)) {
            return CompletableFuture.completedFuture(null);
        }
        return check(reader, stripe, unit, node)
                .exceptionallyCompose(failure -> heal(reader, stripe, unit, StorageException.unwrap(failure))
                        .thenAccept(nothing -> healed.add(node)))
                .exceptionally(failure -> note(node, reader.file().path(), StorageException.unwrap(failure)))
                .thenAccept(nothing -> tally.checked());
    }

    private CompletableFuture<Void> check(SegmentReader reader, long stripe, int unit, NodeId node) {
        BlockId id = reader.id(stripe, unit);
        return files.blocks()
                .verify(node, id)
                .thenCompose(header -> header.id().equals(id) && header.length() == reader.length(stripe, unit)
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(
                                new StorageException.BlockCorrupt(node, id, "it is another block")));
    }

    private CompletableFuture<Void> heal(SegmentReader reader, long stripe, int unit, Throwable failure) {
        switch (failure) {
            case StorageException.BlockMissing missing -> tally.missing.increment();
            case StorageException.BlockCorrupt corrupt -> tally.corrupt.increment();
            default -> {
                return CompletableFuture.failedFuture(failure);
            }
        }
        CompletableFuture<ByteBuf> made = failure instanceof StorageException.BlockMissing
                ? reader.reconstruct(stripe, unit)
                : reader.unit(stripe, unit);
        return made.thenCompose(body -> reader.put(stripe, unit, reader.layout().nodeOf(stripe, unit), body))
                .thenAccept(nothing -> tally.repaired(reader.length(stripe, unit)));
    }

    private Void note(NodeId node, String what, Throwable failure) {
        switch (failure) {
            case StorageException.NodeUnreachable away -> tally.unreachable.add(node);
            case StorageException.FileChanged changed -> {}
            default -> tally.failed(what, failure);
        }
        return null;
    }

    /** Removes the node's garbage, page by page. */
    private CompletableFuture<Void> sweep(NodeId node) {
        return new OrphanSweep(files, node, tally)
                .run()
                .exceptionally(failure -> note(node, "sweep of " + node, StorageException.unwrap(failure)));
    }
}
