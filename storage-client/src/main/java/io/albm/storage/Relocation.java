// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Moves what a plan says of all segments that there are, segment by segment, and of each until the plan wants nothing more of it
 * ({@link SegmentMover}).
 *
 * <p>Others may move the same segments. What they have moved since it was planned is planned again as it lies then: only what no
 * file needs any more is done without. What a node has no room for goes to another one, if the plan leaves a choice.
 */
final class Relocation {
    /** Segments under way. */
    private static final int SEGMENTS = 8;

    /** How often a segment is to move that others move first. */
    private static final int ATTEMPTS = 3;

    private final StripedFiles files;
    private final RelocationPlan plan;
    private final ScrubMeter meter;
    private final ScrubTally tally;
    private final SegmentMover mover;
    private final Set<NodeId> full = ConcurrentHashMap.newKeySet();

    /** All that one node holds of a segment goes to another, which holds nothing of it. */
    record Move(NodeId from, NodeId to) {
        /** The segment after it. */
        Segment of(Segment before) {
            return before.movedTo(from, to);
        }
    }

    private Relocation(StripedFiles files, RelocationPlan plan, ScrubMeter meter, ScrubTally tally) {
        this.files = files;
        this.plan = plan;
        this.meter = meter;
        this.tally = tally;
        this.mover = new SegmentMover(files, tally);
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
            List<SegmentMove> planned = all.stream()
                    .flatMap(file -> files.reader(file).segments().stream())
                    .filter(reader -> seen.add(reader.segment().generation()))
                    .flatMap(reader -> planned(plan, reader, impossible).stream())
                    .toList();
            ScrubMeter meter = new ScrubMeter(
                    planned.stream().mapToLong(SegmentMove::blocks).sum(), listener);
            ScrubTally tally = new ScrubTally(meter);
            impossible.forEach(tally::failed);
            Relocation relocation = new Relocation(files, plan, meter, tally);
            return Lanes.run(planned.size(), SEGMENTS, index -> relocation.segment(planned.get((int) index)))
                    .thenCompose(nothing -> relocation.relieveFull())
                    .thenApply(nothing -> tally.report());
        });
    }

    private static Optional<SegmentMove> planned(
            RelocationPlan plan, SegmentReader reader, Map<String, StorageException> impossible) {
        try {
            return plan.of(reader.file().path(), reader.segment()).map(move -> new SegmentMove(reader, move));
        } catch (StorageException failure) {
            impossible.put(reader.file().path(), failure);
            return Optional.empty();
        }
    }

    private CompletableFuture<Void> segment(SegmentMove planned) {
        tally.files.increment();
        return moves(besides(planned).orElse(planned), 1).exceptionally(failure -> {
            tally.failed(planned.reader().file().path(), StorageException.unwrap(failure));
            return null;
        });
    }

    /**
     * A move, and those that the plan has for the segment then.
     *
     * @param attempt one more than others have moved the segment before this could
     */
    private CompletableFuture<Void> moves(SegmentMove planned, int attempt) {
        return mover.move(planned)
                .handle((nothing, failure) -> failure == null
                        ? goOn(planned, attempt)
                        : reconsider(planned, StorageException.unwrap(failure), attempt))
                .thenCompose(rest -> rest);
    }

    private CompletableFuture<Void> goOn(SegmentMove done, int attempt) {
        countCrowded(done);
        return rest(done.reader().file(), done.after(), attempt);
    }

    /** Others may have moved another unit of the segment: that of the plan still is where it is not to be then. */
    private CompletableFuture<Void> reconsider(SegmentMove planned, Throwable failure, int attempt) {
        FileInfo file = planned.reader().file();
        if (failure instanceof StorageException.NoSpace) {
            return elsewhere(planned, failure, attempt);
        }
        if (!isChange(failure)) {
            return CompletableFuture.failedFuture(failure);
        }
        return planned.reader().current().thenCompose(now -> {
            if (now.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            return attempt == ATTEMPTS
                    ? CompletableFuture.failedFuture(new StorageException.MovedByOthers(file.path(), now.get()))
                    : rest(file, now.get(), attempt + 1);
        });
    }

    /** Ends, since no move is planned to a taker that is known to be full. */
    private CompletableFuture<Void> elsewhere(SegmentMove planned, Throwable failure, int attempt) {
        full.add(planned.move().to());
        return besides(planned)
                .map(other -> moves(other, attempt))
                .orElseGet(() -> CompletableFuture.failedFuture(failure));
    }

    /** Removes from full nodes the parts that they took of what lies elsewhere now. What cannot be, their scrubs remove. */
    private CompletableFuture<Void> relieveFull() {
        List<NodeId> order = List.copyOf(full);
        return Lanes.run(
                order.size(),
                1,
                index -> files.sweep(order.get((int) index)).handle((removed, leftToTheScrub) -> null));
    }

    /** The move to another taker, of one to a node that is full; empty if it is not, or there is no other. */
    private Optional<SegmentMove> besides(SegmentMove planned) {
        if (!full.contains(planned.move().to())) {
            return Optional.empty();
        }
        try {
            return plan.of(planned.reader().file().path(), planned.before(), full)
                    .filter(move -> !full.contains(move.to()))
                    .map(move -> new SegmentMove(planned.reader(), move));
        } catch (StorageException allAreFull) {
            return Optional.empty();
        }
    }

    private CompletableFuture<Void> rest(FileInfo file, Segment now, int attempt) {
        try {
            Optional<Move> next = plan.of(file.path(), now);
            if (next.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            SegmentMove planned = new SegmentMove(new SegmentReader(files, file, now, new Suspects()), next.get());
            meter.expect(planned.blocks());
            return moves(planned, attempt);
        } catch (StorageException stays) {
            return CompletableFuture.failedFuture(stays);
        }
    }

    private void countCrowded(SegmentMove planned) {
        if (DomainSpread.isMoreCrowded(planned.after(), planned.before(), files.live()::domain)) {
            tally.crowded.increment();
        }
    }

    private static boolean isChange(Throwable failure) {
        return switch (failure) {
            case StorageException.FileChanged _ -> true;
            case TableRefusal refusal ->
                refusal.reason() == TableRefusal.Reason.CHANGED || refusal.reason() == TableRefusal.Reason.STALE;
            default -> false;
        };
    }
}
