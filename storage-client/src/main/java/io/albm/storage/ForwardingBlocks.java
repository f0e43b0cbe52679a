// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** I/O nodes in front of others: passes on to {@link #to} what an implementation does not do in another way. */
public interface ForwardingBlocks extends BlockClient {
    BlockClient to();

    /** The same in front of others. */
    ForwardingBlocks over(BlockClient others);

    @Override
    default BlockClient background() {
        return over(to().background());
    }

    @Override
    default BlockClient hasty() {
        return over(to().hasty());
    }

    @Override
    default CompletableFuture<Void> write(
            NodeId node, BlockHeader header, WriteMode mode, @Nullable Fence fence, ByteBuf body) {
        return to().write(node, header, mode, fence, body);
    }

    @Override
    default CompletableFuture<BlockPart> read(NodeId node, BlockId block, int from, int length) {
        return to().read(node, block, from, length);
    }

    @Override
    default CompletableFuture<BlockHeader> verify(NodeId node, BlockId block) {
        return to().verify(node, block);
    }

    @Override
    default CompletableFuture<Void> setAside(
            NodeId node, Generation generation, long blocks, long bytes, @Nullable Fence fence) {
        return to().setAside(node, generation, blocks, bytes, fence);
    }

    @Override
    default CompletableFuture<Long> seal(NodeId node, Generation generation, @Nullable Fence fence) {
        return to().seal(node, generation, fence);
    }

    @Override
    default CompletableFuture<Void> remove(NodeId node, Generation generation, @Nullable Fence fence) {
        return to().remove(node, generation, fence);
    }

    @Override
    default CompletableFuture<Boolean> sweep(NodeId node, Generation generation, long listing) {
        return to().sweep(node, generation, listing);
    }

    @Override
    default CompletableFuture<GenerationPage> generations(NodeId node, @Nullable Generation after) {
        return to().generations(node, after);
    }

    @Override
    default CompletableFuture<NodeSpace> space(NodeId node) {
        return to().space(node);
    }
}
