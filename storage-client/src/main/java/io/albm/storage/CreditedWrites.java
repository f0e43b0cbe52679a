// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends the blocks of one {@link Sender} to I/O nodes, each when it has {@linkplain CreditWindow credit} for it. What was granted
 * may be void when the block comes, because it was long on its way or the node has started anew; then the node has not
 * taken it, and it is sent again with new credit, at most {@value #ATTEMPTS} times in all. Keeps a window for each node that it has
 * sent to. Thread-safe, never blocks.
 */
final class CreditedWrites {
    private static final int ATTEMPTS = 4;

    /** How nodes are reached. Failures are those of the wire. */
    interface Nodes {
        CompletableFuture<StorageReply.Granted> ask(NodeId node, StorageRequest.Ask ask);

        /** Takes over one reference of {@code body}. */
        CompletableFuture<StorageReply.Written> write(NodeId node, StorageRequest.Write write, ByteBuf body);
    }

    private final Sender sender;
    private final Nodes nodes;
    private final Duration patience;
    private final MonotonicClock clock;
    private final Map<NodeId, CreditWindow> windows = new ConcurrentHashMap<>();

    /** @param patience with a node that writes nothing */
    CreditedWrites(Sender sender, Nodes nodes, Duration patience, MonotonicClock clock) {
        this.sender = sender;
        this.nodes = nodes;
        this.patience = patience;
        this.clock = clock;
    }

    /** Takes over one reference of {@code body}, whatever happens. */
    CompletableFuture<Void> write(
            NodeId node, BlockHeader header, WriteMode mode, @Nullable Fence fence, ByteBuf body) {
        return attempt(node, new StorageRequest.Write(sender, header, mode, fence), body, ATTEMPTS)
                .whenComplete((nothing, failure) -> body.release());
    }

    private CompletableFuture<Void> attempt(NodeId node, StorageRequest.Write write, ByteBuf body, int attempts) {
        CreditWindow window = windows.computeIfAbsent(node, this::window);
        return window.take(Credit.cost(body.readableBytes()))
                .thenCompose(nothing -> nodes.write(node, write, body.retainedDuplicate())
                        .thenAccept(written -> window.add(written.credit()))
                        .exceptionallyCompose(failure -> {
                            window.forget();
                            return attempts > 1 && isBusy(failure)
                                    ? attempt(node, write, body, attempts - 1)
                                    : CompletableFuture.failedFuture(failure);
                        }));
    }

    private CreditWindow window(NodeId node) {
        return new CreditWindow(
                (bytes, first) -> nodes.ask(node, new StorageRequest.Ask(sender, bytes, first)), patience, clock);
    }

    private static boolean isBusy(Throwable failure) {
        return StorageException.unwrap(failure) instanceof WireException wire && wire.code() == WireCode.BUSY;
    }
}
