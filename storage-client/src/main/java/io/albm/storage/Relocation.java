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

/**
 * Moves what a plan says of all segments that there are, segment by segment, and of each until the plan wants nothing more of it
 * ({@link SegmentMover}).
 */
final class Relocation {
    /** Segments under way. */
    private static final int SEGMENTS = 8;

    private final StripedFiles files;
    private final RelocationPlan plan;
    private final ScrubTally tally;
    private final SegmentMover mover;

    /** All that one node holds of a segment goes to another, which holds nothing of it. */
    record Move(NodeId from, NodeId to) {
        /** The segment after it. */
        Segment of(Segment before) {
            return before.movedTo(from, to);
        }
    }

    private Relocation(StripedFiles files, RelocationPlan plan, ScrubTally tally) {
        this.files = files;
        this.plan = plan;
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
            ScrubTally tally = new ScrubTally(
                    planned.stream().mapToLong(SegmentMove::blocks).sum(), listener);
            impossible.forEach(tally::failed);
            Relocation relocation = new Relocation(files, plan, tally);
            return Lanes.run(planned.size(), SEGMENTS, index -> relocation.segment(planned.get((int) index)))
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
        return moves(planned)
                .exceptionally(failure -> note(planned.reader().file().path(), StorageException.unwrap(failure)));
    }

    /** A move, and those that the plan has for the segment then. */
    private CompletableFuture<Void> moves(SegmentMove planned) {
        return mover.move(planned)
                .thenRun(() -> countCrowded(planned))
                .thenCompose(nothing -> next(planned))
                .thenCompose(next -> next.map(this::moves).orElseGet(() -> CompletableFuture.completedFuture(null)));
    }

    private CompletableFuture<Optional<SegmentMove>> next(SegmentMove done) {
        FileInfo file = done.reader().file();
        Segment now = done.after();
        try {
            Optional<SegmentMove> next = plan.of(file.path(), now)
                    .map(move -> new SegmentMove(new SegmentReader(files, file, now, new Suspects()), move));
            next.ifPresent(planned -> tally.expect(planned.blocks()));
            return CompletableFuture.completedFuture(next);
        } catch (StorageException stays) {
            return CompletableFuture.failedFuture(stays);
        }
    }

    private void countCrowded(SegmentMove planned) {
        if (DomainSpread.isMoreCrowded(planned.after(), planned.before(), files.live()::domain)) {
            tally.crowded.increment();
        }
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
