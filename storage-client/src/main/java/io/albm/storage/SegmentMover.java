// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Moves what a node holds of a segment to another one: each block is read, or made again from its stripe if its node is gone, and
 * written to the other node, the names are made durable and counted, and one commit changes the file's entry. Readers see the old
 * layout or the new one; both give the same bytes. No block of another node moves, and none that the other node has from an attempt
 * that was cut off.
 */
final class SegmentMover {
    /** Blocks of a segment under way. */
    private static final int BLOCKS = 8;

    /** None comes after it. */
    private static final Generation LAST = new Generation(-1, -1);

    private final StripedFiles files;
    private final Set<NodeId> alive;
    private final ScrubTally tally;
    private final RepairMemory memory = new RepairMemory();
    private final Map<NodeId, CompletableFuture<OptionalLong>> listings = new ConcurrentHashMap<>();

    SegmentMover(StripedFiles files, ScrubTally tally) {
        this.files = files;
        this.alive = Set.copyOf(files.live().weights().keySet());
        this.tally = tally;
    }

    /** Fails with {@link StorageException.FileChanged}, or the file table's word for it, if the segment is gone or elsewhere by now. */
    CompletableFuture<Void> move(SegmentMove planned) {
        return clear(planned).thenCompose(nothing -> moveOnto(planned));
    }

    /**
     * Has the target give up what it has of the segment, unless that is what it is to have: blocks that are left from another
     * place of the layout would be counted for those that move, and once it holds the segment nobody would ever remove them.
     */
    private CompletableFuture<Void> clear(SegmentMove planned) {
        NodeId target = planned.move().to();
        return planned.reader()
                .seal(target)
                .thenCompose(found -> found == 0
                        ? CompletableFuture.completedFuture(null)
                        : there(planned)
                                .thenCompose(there -> there.equals(found)
                                        ? CompletableFuture.completedFuture(null)
                                        : files.sweep(target).thenAccept(removed -> {})));
    }

    /** Blocks that the target has from an attempt that was cut off. */
    private CompletableFuture<Long> there(SegmentMove planned) {
        LongAdder there = new LongAdder();
        return Lanes.run(
                        planned.reader().stripes(),
                        BLOCKS,
                        stripe -> isThere(planned, stripe).thenAccept(found -> there.add(found ? 1 : 0)))
                .thenApply(nothing -> there.sum());
    }

    private CompletableFuture<Void> moveOnto(SegmentMove planned) {
        return listed(planned.move().from())
                .thenCompose(listing -> moved(planned).thenCompose(nothing -> leave(planned, listing)));
    }

    private CompletableFuture<?> moved(SegmentMove planned) {
        SegmentReader reader = planned.reader();
        Relocation.Move move = planned.move();
        String generation = reader.segment().generation();
        FileTable table = files.table();
        return table.ask(new TableCommand.Begin(generation))
                .thenCompose(nothing -> reader.checkUnmoved())
                .thenCompose(nothing -> Lanes.run(
                        reader.stripes(),
                        BLOCKS,
                        stripe -> memory.run(reader.repairBytes(), () -> block(planned, stripe))))
                .thenCompose(nothing -> seal(planned))
                .thenCompose(nothing ->
                        table.ask(new TableCommand.Relocate(reader.file().inode(), generation, move.from(), move.to())))
                .exceptionallyCompose(failure -> table.ask(new TableCommand.Cancel(generation))
                        .handle((cancelled, ignored) -> cancelled)
                        .thenCompose(nothing -> CompletableFuture.failedFuture(failure)));
    }

    /**
     * Removes what has moved from where it was, unless somebody has moved it back meanwhile. Never fails: what is left there, the
     * scrub of its node removes.
     *
     * @param listing of that node, from before the segment moved
     */
    private CompletableFuture<Void> leave(SegmentMove planned, OptionalLong listing) {
        return listing.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : files.blocks()
                        .sweep(planned.move().from(), planned.reader().segment().generationId(), listing.getAsLong())
                        .handle((gone, leftToTheScrub) -> null);
    }

    /** The number of a listing of a node, if it gives one; one is enough for all that leaves it. */
    private CompletableFuture<OptionalLong> listed(NodeId node) {
        return listings.computeIfAbsent(
                node,
                first -> files.blocks()
                        .generations(first, LAST)
                        .thenApply(page -> OptionalLong.of(page.listing()))
                        .exceptionally(away -> OptionalLong.empty()));
    }

    private CompletableFuture<Void> block(SegmentMove planned, long stripe) {
        return planned.length(stripe) == 0
                ? CompletableFuture.completedFuture(null)
                : isThere(planned, stripe)
                        .thenCompose(there -> there ? CompletableFuture.completedFuture(null) : copy(planned, stripe))
                        .thenAccept(nothing -> tally.checked());
    }

    private CompletableFuture<Boolean> isThere(SegmentMove planned, long stripe) {
        BlockId id = planned.reader().id(stripe, planned.unit(stripe));
        return files.blocks()
                .verify(planned.move().to(), id)
                .thenApply(header -> header.id().equals(id) && header.length() == planned.length(stripe))
                .exceptionallyCompose(failure -> switch (StorageException.unwrap(failure)) {
                    case StorageException.BlockMissing _ -> CompletableFuture.completedFuture(false);
                    case StorageException.BlockCorrupt _ -> CompletableFuture.completedFuture(false);
                    case Throwable other -> CompletableFuture.failedFuture(other);
                });
    }

    private CompletableFuture<Void> copy(SegmentMove planned, long stripe) {
        SegmentReader reader = planned.reader();
        int unit = planned.unit(stripe);
        CompletableFuture<ByteBuf> body =
                alive.contains(planned.move().from()) ? reader.unit(stripe, unit) : reader.reconstruct(stripe, unit);
        return body.thenCompose(bytes -> reader.put(stripe, unit, planned.move().to(), bytes))
                .thenAccept(nothing -> tally.moved(planned.length(stripe)));
    }

    private CompletableFuture<Void> seal(SegmentMove planned) {
        NodeId target = planned.move().to();
        return planned.reader()
                .seal(target)
                .thenCompose(found -> found == planned.blocks()
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(new StorageException.NodeFailed(
                                target,
                                "it holds " + found + " of " + planned.blocks() + " blocks of "
                                        + planned.reader().file().path())));
    }
}
