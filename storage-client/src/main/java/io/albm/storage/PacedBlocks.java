// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import io.albm.core.time.MonotonicClock;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * I/O nodes that are not given more than so many bytes per second, all together, by whoever goes through this. What is read,
 * written and verified counts.
 *
 * @param pause completes after so many nanoseconds
 */
record PacedBlocks(BlockClient to, RateLimit limit, MonotonicClock clock, LongFunction<CompletableFuture<Void>> pause)
        implements BlockClient {
    @Override
    public BlockClient background() {
        return new PacedBlocks(to.background(), limit, clock, pause);
    }

    @Override
    public BlockClient hasty() {
        return new PacedBlocks(to.hasty(), limit, clock, pause);
    }

    @Override
    public CompletableFuture<Void> write(
            NodeId node, BlockHeader header, WriteMode mode, @Nullable Fence fence, ByteBuf body) {
        return paced(() -> {
            charge(header.length());
            return to.write(node, header, mode, fence, body);
        });
    }

    @Override
    public CompletableFuture<BlockPart> read(NodeId node, BlockId block, int from, int length) {
        return paced(() -> {
            charge(length);
            return to.read(node, block, from, length);
        });
    }

    @Override
    public CompletableFuture<BlockHeader> verify(NodeId node, BlockId block) {
        return paced(() -> to.verify(node, block)).thenApply(header -> {
            charge(header.length());
            return header;
        });
    }

    private <T> CompletableFuture<T> paced(Supplier<CompletableFuture<T>> work) {
        long nanos = limit.waitNanos(clock.nanoTime());
        return nanos == 0 ? work.get() : pause.apply(nanos).thenCompose(nothing -> paced(work));
    }

    private void charge(int bytes) {
        limit.charge(bytes, clock.nanoTime());
    }

    @Override
    public CompletableFuture<Void> setAside(
            NodeId node, Generation generation, long blocks, long bytes, @Nullable Fence fence) {
        return to.setAside(node, generation, blocks, bytes, fence);
    }

    @Override
    public CompletableFuture<Long> seal(NodeId node, Generation generation, @Nullable Fence fence) {
        return to.seal(node, generation, fence);
    }

    @Override
    public CompletableFuture<Void> remove(NodeId node, Generation generation, @Nullable Fence fence) {
        return to.remove(node, generation, fence);
    }

    @Override
    public CompletableFuture<Boolean> sweep(NodeId node, Generation generation, long listing) {
        return to.sweep(node, generation, listing);
    }

    @Override
    public CompletableFuture<GenerationPage> generations(NodeId node, @Nullable Generation after) {
        return to.generations(node, after);
    }

    @Override
    public CompletableFuture<NodeSpace> space(NodeId node) {
        return to.space(node);
    }
}
