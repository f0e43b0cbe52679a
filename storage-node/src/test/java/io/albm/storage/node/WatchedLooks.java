// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.node.NodeId;
import io.albm.storage.BlockClient;
import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.ForwardingBlocks;
import java.util.concurrent.CompletableFuture;

/** Passes everything on, and does something of the test's own, which may block, before each look at a block. */
record WatchedLooks(BlockClient to, Runnable beforeLook) implements ForwardingBlocks {
    @Override
    public WatchedLooks over(BlockClient others) {
        return new WatchedLooks(others, beforeLook);
    }

    @Override
    public CompletableFuture<BlockHeader> verify(NodeId node, BlockId block) {
        return CompletableFuture.runAsync(beforeLook).thenCompose(nothing -> to.verify(node, block));
    }
}
