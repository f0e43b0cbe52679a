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
 * Looks at the blocks that some nodes should have of a segment, and makes missing and corrupt ones again.
 *
 * <p>A file that is removed, or moved, meanwhile loses its blocks one after the other, which is no damage: whatever was found of a segment that its file
 * does not need there any more is not counted. No block is held against the table before it is written back: one that comes too late for its file is
 * garbage, which the {@link Scrub} removes afterwards.
 */
final class SegmentScrub {
    /** Under way, as far as {@link RepairMemory} lets them. */
    private static final int STRIPES = 8;

    private final StripedFiles files;
    private final Set<NodeId> nodes;
    private final SegmentReader reader;
    private final ScrubTally tally;
    private final ScrubTally found;
    private final RepairMemory memory;
    private final Set<NodeId> healed = ConcurrentHashMap.newKeySet();

    /** @param tally takes what is found of the segment, if that counts */
    SegmentScrub(StripedFiles files, Set<NodeId> nodes, SegmentReader reader, ScrubTally tally, RepairMemory memory) {
        this.files = files;
        this.nodes = nodes;
        this.reader = reader;
        this.tally = tally;
        this.found = tally.part();
        this.memory = memory;
    }

    CompletableFuture<Void> run() {
        return Lanes.run(reader.stripes(), STRIPES, stripe -> memory.run(reader.repairBytes(), () -> stripe(stripe)))
                .thenCompose(nothing -> seal(List.copyOf(healed)))
                .thenCompose(nothing -> found.isClean() ? CompletableFuture.completedFuture(true) : isNeeded())
                .thenAccept(counts -> {
                    if (counts) {
                        tally.add(found);
                    }
                });
    }

    /** If the table does not say, it is. */
    private CompletableFuture<Boolean> isNeeded() {
        return reader.current()
                .handle((now, failure) ->
                        failure != null || now.filter(reader.segment()::equals).isPresent());
    }

    private CompletableFuture<Void> seal(List<NodeId> healed) {
        return Lanes.run(
                healed.size(),
                1,
                index -> reader.seal(healed.get((int) index))
                        .<Void>thenApply(count -> null)
                        .exceptionally(failure -> failed(healed.get((int) index), failure)));
    }

    private CompletableFuture<Void> stripe(long stripe) {
        StripeLayout layout = reader.layout();
        int[] units = IntStream.range(0, layout.geometry().width())
                .filter(unit -> nodes.contains(layout.nodeOf(stripe, unit)) && reader.length(stripe, unit) > 0)
                .toArray();
        return Lanes.run(units.length, 1, index -> unit(stripe, units[(int) index]));
    }

    private CompletableFuture<Void> unit(long stripe, int unit) {
        NodeId node = reader.layout().nodeOf(stripe, unit);
        if (found.unreachable.contains(node)) {
            return CompletableFuture.completedFuture(null);
        }
        return check(stripe, unit, node)
                .exceptionallyCompose(failure ->
                        heal(stripe, unit, StorageException.unwrap(failure)).thenAccept(nothing -> healed.add(node)))
                .exceptionally(failure -> failed(node, failure))
                .thenAccept(nothing -> found.checked());
    }

    private CompletableFuture<Void> check(long stripe, int unit, NodeId node) {
        BlockId id = reader.id(stripe, unit);
        return files.blocks()
                .verify(node, id)
                .thenCompose(header -> header.id().equals(id) && header.length() == reader.length(stripe, unit)
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(
                                new StorageException.BlockCorrupt(node, id, "it is another block")));
    }

    private CompletableFuture<Void> heal(long stripe, int unit, Throwable failure) {
        switch (failure) {
            case StorageException.BlockMissing missing -> found.missing.increment();
            case StorageException.BlockCorrupt corrupt -> found.corrupt.increment();
            default -> {
                return CompletableFuture.failedFuture(failure);
            }
        }
        CompletableFuture<ByteBuf> made = failure instanceof StorageException.BlockMissing
                ? reader.reconstruct(stripe, unit)
                : reader.unit(stripe, unit);
        return made.thenCompose(body -> reader.put(stripe, unit, reader.layout().nodeOf(stripe, unit), body))
                .thenAccept(nothing -> found.repaired(reader.length(stripe, unit)));
    }

    private Void failed(NodeId node, Throwable failure) {
        found.failed(node, reader.file().path(), StorageException.unwrap(failure));
        return null;
    }
}
