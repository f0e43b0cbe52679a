// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Moves what a lost node held to other nodes: file by file, each block is made again from its stripe and written to the
 * replacement, the names are made durable and counted, and one commit changes the file's entry. Readers see the old layout
 * or the new one; both give the same bytes. No block of another node moves.
 */
final class NodeReplacement {
    private static final int LANES = 4;

    private final StripedFiles files;
    private final NodeId lost;
    private final @Nullable NodeId onto;
    private final ScrubTally tally;

    private NodeReplacement(StripedFiles files, NodeId lost, @Nullable NodeId onto, ScrubTally tally) {
        this.files = files;
        this.lost = lost;
        this.onto = onto;
        this.tally = tally;
    }

    /** @param onto the node to move to; null chooses one for each file by rendezvous hashing */
    static CompletableFuture<ScrubReport> run(
            StripedFiles files, NodeId lost, @Nullable NodeId onto, ScrubProgress.Listener listener) {
        return files.list("/").thenCompose(all -> {
            List<SegmentReader> affected = all.stream()
                    .flatMap(file -> files.reader(file).segments().stream())
                    .filter(reader -> reader.segment().liesOn(lost))
                    .toList();
            LongStream blocks = affected.stream().mapToLong(reader -> blocks(reader.segment(), lost));
            ScrubTally tally = new ScrubTally(blocks.sum(), listener);
            NodeReplacement replacement = new NodeReplacement(files, lost, onto, tally);
            return Lanes.run(affected.size(), 1, index -> replacement.segment(affected.get((int) index)))
                    .thenApply(nothing -> tally.report());
        });
    }

    private static long blocks(Segment segment, NodeId node) {
        return segment.layout().blocksOn(node, segment.length());
    }

    private CompletableFuture<Void> segment(SegmentReader reader) {
        tally.files.increment();
        return target(reader)
                .thenCompose(target -> move(reader, target))
                .exceptionally(failure -> note(reader.file().path(), StorageException.unwrap(failure)));
    }

    private CompletableFuture<NodeId> target(SegmentReader reader) {
        Segment segment = reader.segment();
        List<RendezvousPlacement.Candidate> candidates = files.takers().stream()
                .filter(candidate ->
                        !segment.liesOn(candidate.node()) && (onto == null || onto.equals(candidate.node())))
                .toList();
        List<NodeId> chosen = RendezvousPlacement.choose(segment.generationId(), candidates, 1);
        return chosen.isEmpty()
                ? CompletableFuture.failedFuture(
                        new StorageException.NoReplacement(reader.file().path(), lost))
                : CompletableFuture.completedFuture(chosen.getFirst());
    }

    private CompletableFuture<Void> move(SegmentReader reader, NodeId target) {
        String generation = reader.segment().generation();
        FileTable table = files.table();
        return table.ask(new TableCommand.Begin(generation))
                .thenCompose(nothing -> Lanes.run(reader.stripes(), LANES, stripe -> block(reader, stripe, target)))
                .thenCompose(nothing -> seal(reader, target))
                .thenCompose(nothing ->
                        table.ask(new TableCommand.Relocate(reader.file().inode(), generation, lost, target)))
                .exceptionallyCompose(failure -> table.ask(new TableCommand.Cancel(generation))
                        .handle((cancelled, ignored) -> cancelled)
                        .thenCompose(nothing -> CompletableFuture.failedFuture(failure)))
                .thenCompose(nothing -> Removal.of(
                        files.blocks(), List.of(lost), reader.segment().generationId(), null));
    }

    private CompletableFuture<Void> block(SegmentReader reader, long stripe, NodeId target) {
        int unit = reader.layout().unitOn(lost, stripe);
        int length = reader.length(stripe, unit);
        if (length == 0) {
            return CompletableFuture.completedFuture(null);
        }
        tally.missing.increment();
        return reader.reconstruct(stripe, unit)
                .thenCompose(body -> reader.put(stripe, unit, target, body))
                .thenAccept(nothing -> {
                    tally.repaired(length);
                    tally.checked();
                });
    }

    private CompletableFuture<Void> seal(SegmentReader reader, NodeId target) {
        long expected = blocks(reader.segment(), lost);
        return files.blocks()
                .seal(target, reader.segment().generationId(), null)
                .thenCompose(found -> found >= expected
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(new StorageException.NodeFailed(
                                target,
                                "it holds " + found + " of " + expected + " blocks of "
                                        + reader.file().path())));
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
