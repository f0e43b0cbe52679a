// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.node.NodeId;
import io.albm.storage.BlockClient;
import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.BlockPart;
import io.albm.storage.Fence;
import io.albm.storage.Generation;
import io.albm.storage.GenerationPage;
import io.albm.storage.NodeSpace;
import io.albm.storage.WriteMode;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Passes everything on, and does something of the test's own before each write, and before each sweep, where it may block. */
record DisturbedBlocks(BlockClient to, BiConsumer<NodeId, BlockHeader> beforeWrite, Runnable beforeSweep)
        implements BlockClient {
    DisturbedBlocks(BlockClient to, BiConsumer<NodeId, BlockHeader> beforeWrite) {
        this(to, beforeWrite, () -> {});
    }

    @Override
    public CompletableFuture<Void> write(
            NodeId node, BlockHeader header, WriteMode mode, @Nullable Fence fence, ByteBuf body) {
        beforeWrite.accept(node, header);
        return to.write(node, header, mode, fence, body);
    }

    @Override
    public CompletableFuture<BlockPart> read(NodeId node, BlockId block, int from, int length) {
        return to.read(node, block, from, length);
    }

    @Override
    public CompletableFuture<BlockHeader> verify(NodeId node, BlockId block) {
        return to.verify(node, block);
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
        return CompletableFuture.runAsync(beforeSweep).thenCompose(nothing -> to.sweep(node, generation, listing));
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
