// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether each node has the blocks that the file table says it has ({@link SegmentCheck}), whether names and inodes fit
 * each other ({@link NameCheck}), what would not bear the loss of a failure domain, and what nobody needs. Changes nothing.
 *
 * <p>Others replace, remove and move files meanwhile. Their blocks go when the table knows it: so where something is wrong with a
 * segment, the table is asked for it again, and it counts only if the segment is still there. Has it moved, it is checked where
 * it is.
 */
final class Fsck {
    private static final int SEGMENTS = 4;

    /** Of a segment that moves on during each of so many checks, what the last one found counts. */
    private static final int CHECKS = 3;

    private final StripedFiles files;
    private final boolean deep;
    private final boolean areDomainsSeveral;
    private final Set<NodeId> silent = ConcurrentHashMap.newKeySet();
    private final FsckTally tally = new FsckTally();

    private Fsck(StripedFiles files, boolean deep) {
        this.files = files;
        this.deep = deep;
        this.areDomainsSeveral = DomainSpread.areSeveral(files.takers());
    }

    static CompletableFuture<FsckReport> run(StripedFiles files, boolean deep) {
        return new Fsck(files, deep).run();
    }

    private CompletableFuture<FsckReport> run() {
        List<NodeId> nodes = List.copyOf(files.live().weights().keySet());
        return NameCheck.run(files.table(), tally)
                .thenCompose(nothing -> files.list("/"))
                .thenCompose(all -> segments(all.stream()
                        .flatMap(file -> files.reader(file).segments().stream())
                        .toList()))
                .thenCompose(nothing -> Lanes.run(nodes.size(), 1, index -> orphans(nodes.get((int) index))))
                .thenApply(nothing -> tally.report());
    }

    private CompletableFuture<Void> segments(List<SegmentReader> readers) {
        return Lanes.run(readers.size(), SEGMENTS, index -> segment(readers.get((int) index), 1));
    }

    /** @param number of the check, from 1 on */
    private CompletableFuture<Void> segment(SegmentReader reader, int number) {
        return new SegmentCheck(files, reader, deep, silent).run().thenCompose(found -> {
            if (areDomainsSeveral && DomainSpread.crowd(reader.segment(), files.live()::domain) > 0) {
                found.crowded.increment();
            }
            return found.report().clean() ? tally(found) : weigh(reader, found, number);
        });
    }

    private CompletableFuture<Void> tally(FsckTally found) {
        tally.add(found);
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> weigh(SegmentReader reader, FsckTally found, int number) {
        return reader.current().thenCompose(now -> {
            if (now.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            return now.get().equals(reader.segment()) || number == CHECKS
                    ? tally(found)
                    : segment(new SegmentReader(files, reader.file(), now.get(), new Suspects()), number + 1);
        });
    }

    private CompletableFuture<Void> orphans(NodeId node) {
        return orphans(node, null).exceptionally(failure -> {
            tally.unreachable.add(node);
            return null;
        });
    }

    private CompletableFuture<Void> orphans(NodeId node, @Nullable Generation after) {
        return files.blocks()
                .generations(node, after)
                .thenCompose(page -> files.table()
                        .ask(new TableQuery.Unneeded(
                                node,
                                page.generations().stream()
                                        .map(Generation::toString)
                                        .toList()))
                        .thenCompose(unneeded -> {
                            tally.orphans.add(unneeded.generations().size());
                            return page.more()
                                    ? orphans(node, page.generations().getLast())
                                    : CompletableFuture.completedFuture(null);
                        }));
    }
}
