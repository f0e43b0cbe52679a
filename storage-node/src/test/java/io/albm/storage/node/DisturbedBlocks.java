// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.node.NodeId;
import io.albm.storage.BlockClient;
import io.albm.storage.BlockHeader;
import io.albm.storage.Fence;
import io.albm.storage.ForwardingBlocks;
import io.albm.storage.Generation;
import io.albm.storage.WriteMode;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Passes everything on, and does something of the test's own before each write, and before each sweep, where it may block. */
record DisturbedBlocks(BlockClient to, BiConsumer<NodeId, BlockHeader> beforeWrite, Runnable beforeSweep)
        implements ForwardingBlocks {
    DisturbedBlocks(BlockClient to, BiConsumer<NodeId, BlockHeader> beforeWrite) {
        this(to, beforeWrite, () -> {});
    }

    @Override
    public DisturbedBlocks over(BlockClient others) {
        return new DisturbedBlocks(others, beforeWrite, beforeSweep);
    }

    @Override
    public CompletableFuture<Void> write(
            NodeId node, BlockHeader header, WriteMode mode, @Nullable Fence fence, ByteBuf body) {
        beforeWrite.accept(node, header);
        return to.write(node, header, mode, fence, body);
    }

    @Override
    public CompletableFuture<Boolean> sweep(NodeId node, Generation generation, long listing) {
        return CompletableFuture.runAsync(beforeSweep).thenCompose(nothing -> to.sweep(node, generation, listing));
    }
}
