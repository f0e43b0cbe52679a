// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether each node has the blocks that the file table says it has, whether names and inodes fit each other
 * ({@link NameCheck}), what would not bear the loss of a failure domain, and what nobody needs. Changes nothing.
 *
 * <p>A node is asked how many blocks of a segment it has. Only where the number is wrong, or where the caller wants it
 * ({@code deep}), it reads and checks each of them.
 */
final class Fsck {
    private static final int SEGMENTS = 4;

    private final StripedFiles files;
    private final boolean deep;
    private final boolean areDomainsSeveral;
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
        return Lanes.run(readers.size(), SEGMENTS, index -> segment(readers.get((int) index)));
    }

    private CompletableFuture<Void> segment(SegmentReader reader) {
        tally.segments.increment();
        if (areDomainsSeveral && DomainSpread.crowd(reader.segment(), files.live()::domain) > 0) {
            tally.crowded.increment();
        }
        ConcurrentMap<Long, Integer> lacking = new ConcurrentHashMap<>();
        List<NodeId> nodes = reader.segment().nodes();
        return Lanes.run(nodes.size(), 1, index -> blocks(reader, nodes.get((int) index), lacking))
                .thenAccept(nothing -> count(reader, lacking));
    }

    private void count(SegmentReader reader, ConcurrentMap<Long, Integer> lacking) {
        int parityUnits = reader.segment().geometry().parityUnits();
        lacking.forEach((stripe, units) -> {
            if (units <= parityUnits) {
                tally.degradedStripes.increment();
            } else {
                tally.lostStripes.increment();
                tally.damage(reader.file().path() + ": stripe " + stripe + " is lost, it lacks " + units + " units");
            }
        });
    }

    private CompletableFuture<Void> blocks(SegmentReader reader, NodeId node, ConcurrentMap<Long, Integer> lacking) {
        long expected = reader.layout().blocksOn(node, reader.segment().length());
        tally.blocks.add(expected);
        return count(reader, node)
                .thenCompose(found -> {
                    if (found > expected) {
                        tally.damage(describe(reader, node) + "has " + found + " blocks, expected " + expected);
                    }
                    return found == expected && !deep
                            ? CompletableFuture.completedFuture(null)
                            : each(reader, node, lacking);
                })
                .exceptionally(failure -> {
                    away(reader, node, StorageException.unwrap(failure), lacking);
                    return null;
                });
    }

    private CompletableFuture<Long> count(SegmentReader reader, NodeId node) {
        return tally.unreachable.contains(node)
                ? CompletableFuture.failedFuture(new StorageException.NodeUnreachable(node, "it did not answer before"))
                : reader.seal(node);
    }

    /** Nothing that the node has of the segment can be had. */
    private void away(SegmentReader reader, NodeId node, Throwable failure, ConcurrentMap<Long, Integer> lacking) {
        if (failure instanceof StorageException.NodeUnreachable) {
            tally.unreachable.add(node);
        } else {
            tally.damage(describe(reader, node) + failure.getMessage());
        }
        for (long stripe = 0; stripe < reader.stripes(); stripe++) {
            if (reader.length(stripe, reader.layout().unitOn(node, stripe)) > 0) {
                lacking.merge(stripe, 1, Integer::sum);
            }
        }
    }

    private CompletableFuture<Void> each(SegmentReader reader, NodeId node, ConcurrentMap<Long, Integer> lacking) {
        return Lanes.run(reader.stripes(), 1, stripe -> {
            int unit = reader.layout().unitOn(node, stripe);
            int length = reader.length(stripe, unit);
            return length == 0
                    ? CompletableFuture.completedFuture(null)
                    : files.blocks()
                            .verify(node, reader.id(stripe, unit))
                            .handle((header, failure) -> wrong(header, length, failure))
                            .thenAccept(wrong -> {
                                if (wrong != null) {
                                    lacking.merge(stripe, 1, Integer::sum);
                                    tally.damage(reader.file().path() + ": " + wrong);
                                }
                            });
        });
    }

    private static @Nullable String wrong(@Nullable BlockHeader header, int length, @Nullable Throwable failure) {
        if (header == null) {
            return failure == null
                    ? "no answer"
                    : StorageException.unwrap(failure).getMessage();
        }
        return header.length() == length
                ? null
                : "block " + header.id() + " has " + header.length() + " bytes, expected " + length;
    }

    private static String describe(SegmentReader reader, NodeId node) {
        return reader.file().path() + ": storage node " + node + ", segment "
                + reader.segment().generation() + ": ";
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
