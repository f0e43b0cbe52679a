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
        implements ForwardingBlocks {
    @Override
    public PacedBlocks over(BlockClient others) {
        return new PacedBlocks(others, limit, clock, pause);
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
}
