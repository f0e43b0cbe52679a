// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.core.node.NodeId;
import io.albm.storage.BlockClient;
import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.BlockPart;
import io.albm.storage.Fence;
import io.albm.storage.ForwardingBlocks;
import io.albm.storage.Generation;
import io.albm.storage.GenerationPage;
import io.albm.storage.NodeSpace;
import io.albm.storage.PartHeader;
import io.albm.storage.StorageException;
import io.albm.storage.WriteMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** I/O nodes in main memory, which can be filled up and broken. */
public final class MemoryBlocks implements BlockClient {
    public static final long CAPACITY = 1L << 30;

    private record Place(NodeId node, BlockId block) {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Held(BlockHeader header, byte[] body) {}

    private final Map<Place, Held> blocks = new ConcurrentHashMap<>();
    private final Set<NodeId> lost = ConcurrentHashMap.newKeySet();
    private final LongAdder bytesRead = new LongAdder();
    private volatile boolean full;
    private volatile boolean broken;
    private volatile Set<NodeId> away = Set.of();
    private volatile CompletableFuture<Void> sealing = CompletableFuture.completedFuture(null);
    private volatile Consumer<NodeId> onRead = node -> {};
    private final Set<NodeId> slow = ConcurrentHashMap.newKeySet();
    private final Queue<StorageException> failures = new ConcurrentLinkedQueue<>();
    private volatile CompletableFuture<Void> reading = CompletableFuture.completedFuture(null);
    private volatile @Nullable NodeId keeping;

    public int count() {
        return blocks.size();
    }

    void setFull(boolean isFull) {
        full = isFull;
    }

    /** Bytes that were read since this was asked last. */
    long bytesRead() {
        return bytesRead.sumThenReset();
    }

    /** A node that does not answer any more. */
    public void lose(NodeId node) {
        lost.add(node);
    }

    /** A node that answers again. */
    public void find(NodeId node) {
        lost.remove(node);
    }

    /** A node whose answers only those see who wait for them. */
    public void slowDown(NodeId node) {
        slow.add(node);
    }

    /** The next read or write of the node that it names fails with it; after that the one behind it. */
    public void failNext(StorageException failure) {
        failures.add(failure);
    }

    private Optional<StorageException> failure(NodeId node) {
        StorageException next = failures.peek();
        return next != null && next.node().filter(node::equals).isPresent()
                ? Optional.ofNullable(failures.poll())
                : Optional.empty();
    }

    /** A node that never answers when something is to be removed. */
    void neverRemove(NodeId node) {
        keeping = node;
    }

    /** Nothing comes of what is read from now on until the result is completed. */
    public CompletableFuture<Void> holdReads() {
        CompletableFuture<Void> until = new CompletableFuture<>();
        reading = until;
        return until;
    }

    /** A node that gets an empty disk. */
    public void wipe(NodeId node) {
        blocks.keySet().removeIf(place -> place.node().equals(node));
    }

    /** Told which node is read from. */
    public void onRead(Consumer<NodeId> listener) {
        onRead = listener;
    }

    /** Seals that are asked for from now on end when {@code until} does. */
    void holdSeals(CompletableFuture<Void> until) {
        sealing = until;
    }

    void setBroken(boolean isBroken) {
        broken = isBroken;
    }

    /** Nodes that take no blocks; all others do. */
    public void setAway(NodeId... nodes) {
        away = Set.of(nodes);
    }

    @Override
    public CompletableFuture<Void> write(
            NodeId node, BlockHeader header, WriteMode mode, @Nullable Fence fence, ByteBuf body) {
        try {
            if (broken) {
                throw new OutOfMemoryError("as the test wants it");
            }
            if (away.contains(node)) {
                return CompletableFuture.failedFuture(
                        new StorageException.NodeUnreachable(node, "as the test wants it"));
            }
            if (full) {
                return CompletableFuture.failedFuture(new StorageException.NoSpace(node, "as the test wants it"));
            }
            Optional<StorageException> failure = failure(node);
            if (failure.isPresent()) {
                return CompletableFuture.failedFuture(failure.get());
            }
            blocks.put(new Place(node, header.id()), new Held(header, ByteBufUtil.getBytes(body)));
            return CompletableFuture.completedFuture(null);
        } finally {
            body.release();
        }
    }

    @Override
    public BlockClient hasty() {
        return new Hasty(this);
    }

    private record Hasty(MemoryBlocks to) implements ForwardingBlocks {
        @Override
        public ForwardingBlocks over(BlockClient others) {
            return this;
        }

        @Override
        public CompletableFuture<BlockPart> read(NodeId node, BlockId block, int from, int length) {
            return to.slow.contains(node)
                    ? CompletableFuture.failedFuture(new StorageException.NodeSlow(node, Duration.ofSeconds(1)))
                    : to.read(node, block, from, length);
        }
    }

    @Override
    public CompletableFuture<BlockPart> read(NodeId node, BlockId block, int from, int length) {
        return reading.thenCompose(nothing -> readNow(node, block, from, length));
    }

    private CompletableFuture<BlockPart> readNow(NodeId node, BlockId block, int from, int length) {
        if (lost.contains(node)) {
            return CompletableFuture.failedFuture(new StorageException.NodeUnreachable(node, "as the test wants it"));
        }
        Optional<StorageException> failure = failure(node);
        if (failure.isPresent()) {
            return CompletableFuture.failedFuture(failure.get());
        }
        onRead.accept(node);
        return held(node, block).thenApply(held -> {
            PartHeader part = held.header().part(from, length);
            bytesRead.add(part.bytes());
            return new BlockPart(part, Unpooled.wrappedBuffer(held.body(), part.start(), part.bytes()));
        });
    }

    private CompletableFuture<Held> held(NodeId node, BlockId block) {
        Held held = blocks.get(new Place(node, block));
        return held == null
                ? CompletableFuture.failedFuture(new StorageException.BlockMissing(node, block))
                : CompletableFuture.completedFuture(held);
    }

    @Override
    public CompletableFuture<BlockHeader> verify(NodeId node, BlockId block) {
        return held(node, block).thenApply(Held::header);
    }

    @Override
    public CompletableFuture<Void> setAside(
            NodeId node, Generation generation, long blockCount, long bytes, @Nullable Fence fence) {
        return full
                ? CompletableFuture.failedFuture(new StorageException.NoSpace(node, "as the test wants it"))
                : CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Long> seal(NodeId node, Generation generation, @Nullable Fence fence) {
        return sealing.thenApply(nothing -> blocks.keySet().stream()
                .filter(place -> isOf(place, node, generation))
                .count());
    }

    @Override
    public CompletableFuture<Void> remove(NodeId node, Generation generation, @Nullable Fence fence) {
        if (node.equals(keeping)) {
            return new CompletableFuture<>();
        }
        blocks.keySet().removeIf(place -> isOf(place, node, generation));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Boolean> sweep(NodeId node, Generation generation, long listing) {
        return remove(node, generation, null).thenApply(nothing -> true);
    }

    private static boolean isOf(Place place, NodeId node, Generation generation) {
        return place.node().equals(node) && place.block().generation().equals(generation);
    }

    @Override
    public CompletableFuture<GenerationPage> generations(NodeId node, @Nullable Generation after) {
        return CompletableFuture.completedFuture(new GenerationPage(List.of(), false, 1));
    }

    @Override
    public CompletableFuture<NodeSpace> space(NodeId node) {
        long used = blocks.entrySet().stream()
                .filter(entry -> entry.getKey().node().equals(node))
                .mapToLong(entry -> entry.getValue().body().length)
                .sum();
        return CompletableFuture.completedFuture(new NodeSpace(CAPACITY, used, CAPACITY - used, blocks.size()));
    }
}
