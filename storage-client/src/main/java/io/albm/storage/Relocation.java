// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import io.netty.buffer.ByteBuf;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Moves what nodes hold of segments to other nodes: segment by segment, each block is read, or made again from its stripe if
 * its node is gone, and written to the other node, the names are made durable and counted, and one commit changes the file's
 * entry. Readers see the old layout or the new one; both give the same bytes. No block of another node moves, and none that the
 * other node has from an attempt that was cut off.
 */
final class Relocation {
    /** Blocks under way; of as many segments, if these are small. */
    private static final int BLOCKS = 8;

    /** None comes after it. */
    private static final Generation LAST = new Generation(-1, -1);

    private final StripedFiles files;
    private final RelocationPlan plan;
    private final Set<NodeId> alive;
    private final ScrubTally tally;
    private final RepairMemory memory = new RepairMemory();
    private final Map<NodeId, CompletableFuture<OptionalLong>> listings = new ConcurrentHashMap<>();

    /** All that one node holds of a segment goes to another, which holds nothing of it. */
    record Move(NodeId from, NodeId to) {
        /** The segment after it. */
        Segment of(Segment before) {
            return before.movedTo(from, to);
        }
    }

    private record Planned(SegmentReader reader, Move move) {
        long blocks() {
            return reader.layout().blocksOn(move.from(), reader.segment().length());
        }

        int unit(long stripe) {
            return reader.layout().unitOn(move.from(), stripe);
        }

        /** Bytes of the block that moves; 0 if the stripe has none there. */
        int length(long stripe) {
            return reader.length(stripe, unit(stripe));
        }
    }

    private Relocation(StripedFiles files, RelocationPlan plan, ScrubTally tally) {
        this.files = files;
        this.plan = plan;
        this.alive = Set.copyOf(files.live().weights().keySet());
        this.tally = tally;
    }

    /**
     * Moves what a plan says.
     *
     * @param plan what moves of a segment; fails with {@link StorageException.NoReplacement} where nothing can that should
     * @return how many blocks came to nodes that did not have them
     */
    static CompletableFuture<ScrubReport> run(
            StripedFiles files, RelocationPlan plan, ScrubProgress.Listener listener) {
        return files.list("/").thenCompose(all -> {
            Map<String, StorageException> impossible = new LinkedHashMap<>();
            Set<String> seen = new HashSet<>(); // a file may have several names
            List<Planned> planned = all.stream()
                    .flatMap(file -> files.reader(file).segments().stream())
                    .filter(reader -> seen.add(reader.segment().generation()))
                    .flatMap(reader -> planned(plan, reader, impossible).stream())
                    .toList();
            ScrubTally tally =
                    new ScrubTally(planned.stream().mapToLong(Planned::blocks).sum(), listener);
            impossible.forEach(tally::failed);
            Relocation relocation = new Relocation(files, plan, tally);
            return Lanes.run(planned.size(), BLOCKS, index -> relocation.segment(planned.get((int) index)))
                    .thenApply(nothing -> tally.report());
        });
    }

    private static Optional<Planned> planned(
            RelocationPlan plan, SegmentReader reader, Map<String, StorageException> impossible) {
        try {
            return plan.of(reader.file().path(), reader.segment()).map(move -> new Planned(reader, move));
        } catch (StorageException failure) {
            impossible.put(reader.file().path(), failure);
            return Optional.empty();
        }
    }

    private CompletableFuture<Void> segment(Planned planned) {
        tally.files.increment();
        return moves(planned)
                .exceptionally(failure -> note(planned.reader().file().path(), StorageException.unwrap(failure)));
    }

    /** A move, and those that the plan has for the segment then. */
    private CompletableFuture<Void> moves(Planned planned) {
        return move(planned)
                .thenRun(() -> countCrowded(planned))
                .thenCompose(nothing -> next(planned))
                .thenCompose(next -> next.map(this::moves).orElseGet(() -> CompletableFuture.completedFuture(null)));
    }

    private CompletableFuture<Optional<Planned>> next(Planned done) {
        FileInfo file = done.reader().file();
        Segment now = done.move().of(done.reader().segment());
        try {
            Optional<Planned> next = plan.of(file.path(), now)
                    .map(move -> new Planned(new SegmentReader(files, file, now, new Suspects()), move));
            next.ifPresent(planned -> tally.expect(planned.blocks()));
            return CompletableFuture.completedFuture(next);
        } catch (StorageException stays) {
            return CompletableFuture.failedFuture(stays);
        }
    }

    private void countCrowded(Planned planned) {
        Segment before = planned.reader().segment();
        if (DomainSpread.isMoreCrowded(planned.move().of(before), before, files.live()::domain)) {
            tally.crowded.increment();
        }
    }

    private CompletableFuture<Void> move(Planned planned) {
        return clear(planned).thenCompose(nothing -> moveOnto(planned));
    }

    /**
     * Has the target give up what it has of the segment, unless that is what it is to have: blocks that are left from another
     * place of the layout would be counted for those that move, and once it holds the segment nobody would ever remove them.
     */
    private CompletableFuture<Void> clear(Planned planned) {
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
    private CompletableFuture<Long> there(Planned planned) {
        LongAdder there = new LongAdder();
        return Lanes.run(
                        planned.reader().stripes(),
                        BLOCKS,
                        stripe -> isThere(planned, stripe).thenAccept(found -> there.add(found ? 1 : 0)))
                .thenApply(nothing -> there.sum());
    }

    private CompletableFuture<Void> moveOnto(Planned planned) {
        return listed(planned.move().from())
                .thenCompose(listing -> moved(planned).thenCompose(nothing -> leave(planned, listing)));
    }

    private CompletableFuture<?> moved(Planned planned) {
        SegmentReader reader = planned.reader();
        Move move = planned.move();
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
    private CompletableFuture<Void> leave(Planned planned, OptionalLong listing) {
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

    private CompletableFuture<Void> block(Planned planned, long stripe) {
        return planned.length(stripe) == 0
                ? CompletableFuture.completedFuture(null)
                : isThere(planned, stripe)
                        .thenCompose(there -> there ? CompletableFuture.completedFuture(null) : copy(planned, stripe))
                        .thenAccept(nothing -> tally.checked());
    }

    private CompletableFuture<Boolean> isThere(Planned planned, long stripe) {
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

    private CompletableFuture<Void> copy(Planned planned, long stripe) {
        SegmentReader reader = planned.reader();
        int unit = planned.unit(stripe);
        tally.missing.increment();
        CompletableFuture<ByteBuf> body =
                alive.contains(planned.move().from()) ? reader.unit(stripe, unit) : reader.reconstruct(stripe, unit);
        return body.thenCompose(bytes -> reader.put(stripe, unit, planned.move().to(), bytes))
                .thenAccept(nothing -> tally.repaired(planned.length(stripe)));
    }

    private CompletableFuture<Void> seal(Planned planned) {
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

    private Void note(String path, Throwable failure) {
        if (!(failure instanceof StorageException.FileChanged) && !isChange(failure)) {
            tally.failed(path, failure);
        }
        return null;
    }

    private static boolean isChange(Throwable failure) {
        return failure instanceof TableRefusal refusal
                && (refusal.reason() == TableRefusal.Reason.CHANGED || refusal.reason() == TableRefusal.Reason.STALE);
    }
}
