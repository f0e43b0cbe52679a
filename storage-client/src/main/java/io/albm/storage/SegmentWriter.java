// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One segment on its way into the store. The caller appends stripe after stripe, each time after the future of the one before
 * has completed, and then either commits or aborts: one call at a time, from any thread. At most
 * {@link StripeSettings#stripesInFlight} stripes are held in memory.
 *
 * <p>The order of steps is what makes a write safe. Blocks go to their nodes, which answer when they have them;
 * then every node makes them and their names durable and counts them ({@link BlockClient#seal}), which tells a node that crashed
 * and came back in between; then, and only then, one commit makes it part of a file. A node lost on the way fails the write, and
 * nothing of it is ever seen.
 */
public final class SegmentWriter {
    private final StripedFiles files;
    private final BlockClient blocks;
    private final FileTable table;
    private final @Nullable Fence fence;
    private final Generation generation;
    private final int stripeBytes;
    private final int stripesInFlight;
    private final ByteBufAllocator allocator;
    private final ArrayDeque<CompletableFuture<Void>> inFlight = new ArrayDeque<>();
    private final CRC32C crc = new CRC32C();
    private StripeLayout layout;
    private long length;
    private boolean durable;

    SegmentWriter(StripedFiles files, Generation generation, StripeLayout layout) {
        this.files = files;
        this.blocks = files.blocks();
        this.table = files.table();
        this.fence = files.fence();
        this.stripesInFlight = files.settings().stripesInFlight();
        this.allocator = files.allocator();
        this.generation = generation;
        this.layout = layout;
        this.stripeBytes = layout.geometry().stripeBytes();
    }

    /** File bytes of a full stripe: what each append but the last must bring. */
    public int stripeBytes() {
        return stripeBytes;
    }

    /** An empty stripe to be filled for {@link #append}. */
    public StripeBuffer newStripe() {
        return new StripeBuffer(layout.geometry(), allocator);
    }

    /** What extents call the segment. */
    public String generation() {
        return generation.toString();
    }

    /** The nodes that the segment will lie on; known when the first stripe was appended, fewer if one unit holds it all. */
    public List<NodeId> nodes() {
        return layout.nodes();
    }

    /**
     * Sends one stripe and takes over one reference of it.
     *
     * @param stripe {@link #stripeBytes} bytes; the last one of the file may have fewer, but at least one
     * @return completes when there is room for the next stripe; fails if a write has failed, after which only
     *     {@link #abort} makes sense
     * @throws IllegalArgumentException if the stripe has another length, or follows one that was short
     */
    public CompletableFuture<Void> append(ByteBuf stripe) {
        try {
            checkLength(stripe.readableBytes());
            durable = false;
            for (ByteBuffer part : stripe.nioBuffers()) {
                crc.update(part);
            }
            if (length == 0 && layout.geometry().isCopied(stripe.readableBytes())) {
                layout = layout.copied();
            }
            inFlight.add(write(length / stripeBytes, stripe));
            length += stripe.readableBytes();
            return inFlight.size() < stripesInFlight ? CompletableFuture.completedFuture(null) : inFlight.remove();
        } finally {
            stripe.release();
        }
    }

    private void checkLength(int bytes) {
        if (bytes == 0 || bytes > stripeBytes || length % stripeBytes != 0) {
            throw new IllegalArgumentException("stripe of " + bytes + " bytes at offset " + length + ": expected 1 to "
                    + stripeBytes + ", and none after a short one");
        }
    }

    private CompletableFuture<Void> write(long stripe, ByteBuf content) {
        StripeGeometry geometry = layout.geometry();
        List<ByteBuf> units = dataOf(content);
        int data = units.size();
        units.addAll(StripeCode.parity(geometry, units, allocator));
        List<CompletableFuture<Void>> writes = new ArrayList<>(units.size());
        Iterator<ByteBuf> unsent = units.iterator();
        try {
            for (int n = 0; unsent.hasNext(); n++) {
                writes.add(write(stripe, n < data ? n : geometry.dataUnits() + n - data, unsent.next()));
            }
        } finally {
            // There are some only if the block client threw.
            unsent.forEachRemaining(ByteBuf::release);
        }
        return CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new));
    }

    private List<ByteBuf> dataOf(ByteBuf content) {
        int unitBytes = layout.geometry().unitBytes();
        List<ByteBuf> units = new ArrayList<>(layout.geometry().dataUnits());
        for (int at = 0; at < content.readableBytes(); at += unitBytes) {
            int length = Math.min(unitBytes, content.readableBytes() - at);
            units.add(content.retainedSlice(content.readerIndex() + at, length));
        }
        return units;
    }

    private CompletableFuture<Void> write(long stripe, int unit, ByteBuf body) {
        BlockHeader header = BlockHeader.of(new BlockId(generation, stripe, unit), body);
        return blocks.write(layout.nodeOf(stripe, unit), header, WriteMode.NEW, fence, body);
    }

    /**
     * Makes durable what was appended, on all nodes. More can be appended unless a short stripe was.
     *
     * @return fails if a write has failed, and leaves there what was written: {@link #sent} can be read then
     */
    public CompletableFuture<Void> settle() {
        return settled().thenCompose(nothing -> seal()).thenRun(() -> durable = true);
    }

    /** Waits for the end of all writes, whether they failed or not. */
    public CompletableFuture<Void> end() {
        return settled().handle((nothing, failure) -> null);
    }

    /** Reads what was appended, as soon as that has {@linkplain #end ended}. */
    public StripedReader sent() {
        return files.reader(
                new FileInfo("segment " + generation, 0, Content.of(segment(), Content.UNKNOWN), Instant.EPOCH));
    }

    private Segment segment() {
        return new Segment(generation.toString(), length, layout.geometry(), layout.nodes());
    }

    /**
     * Makes the segment durable, and then part of a file.
     *
     * @param change what to do with the segment and its checksum
     * @return the file as it is now. After a failure the file is as it was and the blocks are removed as far as the nodes
     *     can be reached, except after {@link StorageException.OutcomeUnknown}, when the file may be changed
     */
    public CompletableFuture<Inode> commit(BiFunction<Segment, Long, TableCommand.Change> change) {
        return publish((segment, crc32c) -> table.ask(change.apply(segment, crc32c)));
    }

    CompletableFuture<Inode> publish(BiFunction<Segment, Long, CompletableFuture<TableAnswer.Published>> commit) {
        CompletableFuture<Void> settled = durable ? CompletableFuture.completedFuture(null) : settle();
        return settled.thenCompose(nothing -> commit.apply(segment(), crc.getValue()))
                .thenCompose(published -> files.free(published.freed()).thenApply(nothing -> published.inode()))
                .exceptionallyCompose(failure -> abandon(StorageException.unwrap(failure)));
    }

    /** Gives the segment up and removes what was written of it, as far as the nodes can be reached. */
    public CompletableFuture<Void> abort() {
        return end().thenCompose(nothing -> discard());
    }

    private CompletableFuture<Void> settled() {
        return CompletableFuture.allOf(inFlight.toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<Void> seal() {
        return CompletableFuture.allOf(layout.nodes().stream().map(this::seal).toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<Void> seal(NodeId node) {
        long expected = layout.blocksOn(node, length);
        return blocks.seal(node, generation, fence)
                .thenCompose(found -> found >= expected
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(new StorageException.NodeFailed(
                                node,
                                "it holds " + found + " of " + expected + " blocks of generation " + generation)));
    }

    private CompletableFuture<Inode> abandon(Throwable failure) {
        return failure instanceof StorageException.OutcomeUnknown
                ? CompletableFuture.failedFuture(failure)
                : discard().thenCompose(nothing -> CompletableFuture.failedFuture(failure));
    }

    /** The announcement goes first: only without it is it sure that no late commit needs the blocks. */
    private CompletableFuture<Void> discard() {
        return table.ask(new TableCommand.Cancel(generation.toString()))
                .thenCompose(cancelled -> cancelled.announced()
                        ? Removal.of(blocks, layout.nodes(), generation, fence)
                        : CompletableFuture.<Void>completedFuture(null))
                .exceptionally(leftToTheScrub -> null);
    }
}
