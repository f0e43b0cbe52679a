// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.node.NodeId;
import io.albm.storage.BlockClient;
import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.BlockPart;
import io.albm.storage.Fence;
import io.albm.storage.ForwardingBlocks;
import io.albm.storage.StorageException;
import io.albm.storage.WriteMode;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The I/O nodes as the scrub of one of them reaches them: blocks that it makes again and checks on the node itself go to its
 * store, and not through a socket back to it. They, and what is done with blocks that come from others, take their turns as
 * all background requests of the node do, but no credit: the scrub bounds the memory of what it makes.
 *
 * @param self the node whose store this is
 * @param bound on a call, from its turn on; before, it waits for as long as others have theirs, also on a disk that is stuck
 */
record OwnBlocks(BlockClient to, NodeId self, BlockStore store, BackgroundTurns turns, Duration bound)
        implements ForwardingBlocks {
    /** What is done with the store. */
    @FunctionalInterface
    private interface Work<T> {
        T run() throws IOException;
    }

    @Override
    public OwnBlocks over(BlockClient others) {
        return new OwnBlocks(others, self, store, turns, bound);
    }

    @Override
    public CompletableFuture<Void> write(
            NodeId node, BlockHeader header, WriteMode mode, @Nullable Fence fence, ByteBuf body) {
        if (!node.equals(self)) {
            return to.write(node, header, mode, fence, body);
        }
        return inTurn(
                        header.id(),
                        () -> {
                            store.write(header, mode, fence, body);
                            return header;
                        },
                        body::release)
                .thenAccept(written -> {});
    }

    /** Whoever waits goes on within a turn: to check what came, and to make a block of it, takes as long as to write that. */
    @Override
    public CompletableFuture<BlockPart> read(NodeId node, BlockId block, int from, int length) {
        return to.read(node, block, from, length).thenCompose(this::handOn);
    }

    private CompletableFuture<BlockPart> handOn(BlockPart part) {
        CompletableFuture<BlockPart> handed = new CompletableFuture<>();
        inTurn(() -> turns.runBriefly(() -> handed.complete(part))).exceptionally(refused -> {
            part.body().release();
            return handed.completeExceptionally(refused);
        });
        return handed;
    }

    @Override
    public CompletableFuture<BlockHeader> verify(NodeId node, BlockId block) {
        return node.equals(self) ? inTurn(block, () -> store.verify(block), () -> {}) : to.verify(node, block);
    }

    /** @param end runs when the disk is done with it, in time or not */
    private <T> CompletableFuture<T> inTurn(BlockId block, Work<T> work, Runnable end) {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<T> done = inTurn(() -> turns.run(() -> {
                    begun.complete(null);
                    return run(block, work);
                }))
                .whenComplete((result, failure) -> {
                    end.run();
                    begun.complete(null);
                });
        return begun.thenCompose(nothing -> inTime(done.copy()));
    }

    private <T> CompletableFuture<T> inTurn(Supplier<CompletableFuture<T>> turn) {
        try {
            return turn.get();
        } catch (RejectedExecutionException full) {
            return CompletableFuture.failedFuture(
                    new StorageException.NodeFailed(self, "too many requests wait for the disk"));
        }
    }

    private <T> T run(BlockId block, Work<T> work) {
        try {
            return work.run();
        } catch (IOException | RuntimeException failure) {
            throw new CompletionException(translate(block, failure));
        }
    }

    private StorageException translate(BlockId block, Exception failure) {
        String reason = String.valueOf(failure.getMessage());
        return switch (failure) {
            case NoSuchFileException missing -> new StorageException.BlockMissing(self, block);
            case CorruptBlockException corrupt -> new StorageException.BlockCorrupt(self, block, reason);
            case NoSpaceException full -> new StorageException.NoSpace(self, reason);
            case StaleEpochException stale -> new StorageException.Fenced(reason);
            default -> new StorageException.NodeFailed(self, failure.toString());
        };
    }

    private <T> CompletableFuture<T> inTime(CompletableFuture<T> answer) {
        return answer.orTimeout(bound.toNanos(), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        failure instanceof TimeoutException ? new StorageException.NodeSlow(self, bound) : failure));
    }
}
