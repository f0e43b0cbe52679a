// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Reads ranges of the units of one segment from their nodes. What comes is checked against its name, its length and its
 * checksums; a range that is not good, for whatever reason, is lost. Thread-safe.
 */
final class UnitReader {
    private final BlockClient blocks;
    private final Segment segment;
    private final StripeLayout layout;
    private final Suspects suspects;
    private final Predicate<NodeId> leftOut;

    private UnitReader(BlockClient blocks, Segment segment, Suspects suspects, Predicate<NodeId> leftOut) {
        this.blocks = blocks;
        this.segment = segment;
        this.layout = segment.layout();
        this.suspects = suspects;
        this.leftOut = leftOut;
    }

    /**
     * One that can do without some units: a node that is slow, or that readers leave out, has lost them.
     *
     * @param suspects shared by the readers of a file
     */
    static UnitReader hasty(BlockClient blocks, Segment segment, Suspects suspects) {
        return new UnitReader(blocks.hasty(), segment, suspects, suspects::isLeftOut);
    }

    /**
     * One that asks every node, and waits for it.
     *
     * @param suspects shared by the readers of a file
     */
    static UnitReader patient(BlockClient blocks, Segment segment, Suspects suspects) {
        return new UnitReader(blocks, segment, suspects, node -> false);
    }

    BlockId id(long stripe, int unit) {
        return new BlockId(segment.generationId(), stripe, unit);
    }

    /** Bytes of a unit, data or parity; 0 if it does not exist. */
    int length(long stripe, int unit) {
        StripeGeometry geometry = segment.geometry();
        return geometry.unitLength(geometry.bytesInStripe(segment.length(), stripe), unit);
    }

    /** Reads ranges side by side. Never fails; the answers are in the order of the ranges. */
    CompletableFuture<List<Unit>> read(long stripe, List<UnitRange> ranges) {
        List<CompletableFuture<Unit>> reads =
                ranges.stream().map(range -> read(stripe, range)).toList();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new))
                .thenApply(
                        nothing -> reads.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<Unit> read(long stripe, UnitRange range) {
        NodeId node = layout.nodeOf(stripe, range.unit());
        if (leftOut.test(node)) {
            return CompletableFuture.completedFuture(
                    new Unit.Lost(range, new StorageException.NodeUnreachable(node, "it did not answer before")));
        }
        return blocks.read(node, id(stripe, range.unit()), range.from(), range.length())
                .thenApply(part -> check(part, node, stripe, range))
                .exceptionally(failure -> failed(range, node, StorageException.unwrap(failure)));
    }

    private Unit check(BlockPart part, NodeId node, long stripe, UnitRange range) {
        PartHeader header = part.header();
        ByteBuf body = part.body();
        BlockId id = id(stripe, range.unit());
        if (header.id().equals(id)
                && header.length() == length(stripe, range.unit())
                && header.start() <= range.from()
                && header.end() >= range.end()
                && header.matches(body)) {
            suspects.answered(node);
            return new Unit.Good(range, body.slice(body.readerIndex() + range.from() - header.start(), range.length()));
        }
        body.release();
        return new Unit.Lost(
                range, new StorageException.BlockCorrupt(node, id, "its content does not match its header"));
    }

    private Unit failed(UnitRange range, NodeId node, Throwable failure) {
        switch (failure) {
            case StorageException.NodeUnreachable gone -> suspects.unreachable(node);
            case StorageException.NodeSlow slow -> suspects.slow(node);
            default -> suspects.answered(node);
        }
        return new Unit.Lost(
                range,
                failure instanceof StorageException storage
                        ? storage
                        : new StorageException.NodeFailed(node, String.valueOf(failure.getMessage())));
    }
}
