// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the nodes of a segment have the blocks that they should have. Tells nobody else what it finds: whether that is
 * damage, or the segment is elsewhere by now, {@link Fsck} knows.
 *
 * <p>A node is asked how many blocks of the segment it has. Only where the number is wrong, or where the caller wants it
 * ({@code deep}), it reads and checks each of them.
 */
final class SegmentCheck {
    private final StripedFiles files;
    private final SegmentReader reader;
    private final boolean deep;
    private final Set<NodeId> silent;
    private final FsckTally found = new FsckTally();
    private final ConcurrentMap<Long, Integer> lacking = new ConcurrentHashMap<>();

    /** @param silent nodes that did not answer, which nobody need wait for again; shared by all checks */
    SegmentCheck(StripedFiles files, SegmentReader reader, boolean deep, Set<NodeId> silent) {
        this.files = files;
        this.reader = reader;
        this.deep = deep;
        this.silent = silent;
    }

    CompletableFuture<FsckTally> run() {
        found.segments.increment();
        List<NodeId> nodes = reader.segment().nodes();
        return Lanes.run(nodes.size(), 1, index -> blocks(nodes.get((int) index)))
                .thenApply(nothing -> {
                    countLacking();
                    return found;
                });
    }

    private void countLacking() {
        int parityUnits = reader.segment().geometry().parityUnits();
        lacking.forEach((stripe, units) -> {
            if (units <= parityUnits) {
                found.degradedStripes.increment();
            } else {
                found.lostStripes.increment();
                found.damage(reader.file().path() + ": stripe " + stripe + " is lost, it lacks " + units + " units");
            }
        });
    }

    private CompletableFuture<Void> blocks(NodeId node) {
        long expected = reader.layout().blocksOn(node, reader.segment().length());
        found.blocks.add(expected);
        return count(node)
                .thenCompose(there -> {
                    if (there > expected) {
                        found.damage(describe(node) + "has " + there + " blocks, expected " + expected);
                    }
                    return there == expected && !deep ? CompletableFuture.completedFuture(null) : each(node);
                })
                .exceptionally(failure -> {
                    away(node, StorageException.unwrap(failure));
                    return null;
                });
    }

    private CompletableFuture<Long> count(NodeId node) {
        return silent.contains(node)
                ? CompletableFuture.failedFuture(new StorageException.NodeUnreachable(node, "it did not answer before"))
                : reader.seal(node);
    }

    /** Nothing that the node has of the segment can be had. */
    private void away(NodeId node, Throwable failure) {
        if (failure instanceof StorageException.NodeUnreachable) {
            silent.add(node);
            found.unreachable.add(node);
        } else {
            found.damage(describe(node) + failure.getMessage());
        }
        for (long stripe = 0; stripe < reader.stripes(); stripe++) {
            if (reader.length(stripe, reader.layout().unitOn(node, stripe)) > 0) {
                lacking.merge(stripe, 1, Integer::sum);
            }
        }
    }

    private CompletableFuture<Void> each(NodeId node) {
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
                                    found.damage(reader.file().path() + ": " + wrong);
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

    private String describe(NodeId node) {
        return reader.file().path() + ": storage node " + node + ", segment "
                + reader.segment().generation() + ": ";
    }
}
