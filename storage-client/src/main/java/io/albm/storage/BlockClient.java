// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The I/O nodes as the striped store sees them; the seam at which a simulator takes the network's and the disks' place.
 * Every call ends within a bound that the implementation sets, with a {@link StorageException} if it fails, in particular
 * {@link StorageException.NodeUnreachable}. Calls may be made from any thread and never block.
 */
public interface BlockClient {
    /** The same nodes for work that can wait, such as a rebuild: they read and write for it as those who cannot wait let them. */
    default BlockClient background() {
        return this;
    }

    /**
     * The same nodes for who can do without an answer: {@link #read} fails with {@link StorageException.NodeSlow} when it takes
     * much longer than reads do.
     */
    default BlockClient hasty() {
        return this;
    }

    /**
     * Stores a block. A new one is durable only after {@link #seal}, and may be lost before if the node ends; of a repaired one
     * the content is durable. The bound on the call begins when it is the block's turn; before, it waits for as long as the node
     * serves others. Takes over one reference of {@code body}, whatever happens.
     */
    CompletableFuture<Void> write(NodeId node, BlockHeader header, WriteMode mode, @Nullable Fence fence, ByteBuf body);

    /**
     * Reads the chunks that hold a range of a block's body. The caller releases them. The node has not checked them: the
     * caller does, end to end.
     *
     * @param from start of the range in the body, in bytes
     * @param length bytes, at least 1
     */
    CompletableFuture<BlockPart> read(NodeId node, BlockId block, int from, int length);

    /** Has the node read the block from its disk and check it; the answer is the header it found. */
    CompletableFuture<BlockHeader> verify(NodeId node, BlockId block);

    /**
     * Has the node set room aside for blocks of a generation that are written soon, until it is sealed or removed, or the node
     * ends. Fails with {@link StorageException.NoSpace} if there is too little.
     *
     * @param blocks how many
     * @param bytes of all their bodies
     */
    CompletableFuture<Void> setAside(
            NodeId node, Generation generation, long blocks, long bytes, @Nullable Fence fence);

    /**
     * Makes all blocks of the generation and their names durable on the node and answers how many there are: fewer than were
     * written means that the node has lost some, as by a crash in between.
     */
    CompletableFuture<Long> seal(NodeId node, Generation generation, @Nullable Fence fence);

    /** Removes all blocks of the generation, if there are any. */
    CompletableFuture<Void> remove(NodeId node, Generation generation, @Nullable Fence fence);

    /**
     * Removes all blocks of the generation, unless it was sealed since a listing: then somebody has found a use for what was
     * garbage when it was listed.
     *
     * @param listing {@link GenerationPage#listing} of the page that it was on
     * @return whether nothing of it is there any more
     */
    CompletableFuture<Boolean> sweep(NodeId node, Generation generation, long listing);

    /** The generations on the node that come after {@code after}, at most {@link GenerationPage#MAX_SIZE} of them. */
    CompletableFuture<GenerationPage> generations(NodeId node, @Nullable Generation after);

    CompletableFuture<NodeSpace> space(NodeId node);
}
