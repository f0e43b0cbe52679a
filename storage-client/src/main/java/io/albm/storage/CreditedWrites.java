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
 * taken it, and it is sent again with new credit, at most {@value #ATTEMPTS} times in all. What was under way when a connection broke is
 * sent again once: whoever writes anew over other nodes then must read from this one what it sent before. Keeps a window for each
 * node that it has sent to. Thread-safe, never blocks.
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
        return attempt(node, new StorageRequest.Write(sender, header, mode, fence), body, ATTEMPTS, true)
                .whenComplete((nothing, failure) -> body.release());
    }

    private CompletableFuture<Void> attempt(
            NodeId node, StorageRequest.Write write, ByteBuf body, int attempts, boolean reconnects) {
        CreditWindow window = windows.computeIfAbsent(node, this::window);
        return window.take(Credit.cost(body.readableBytes()))
                .thenCompose(nothing -> send(window, node, write, body))
                .exceptionallyCompose(failure -> {
                    if (reconnects && is(failure, WireCode.UNAVAILABLE)) {
                        return attempt(node, write, body, attempts, false);
                    }
                    return attempts > 1 && is(failure, WireCode.BUSY)
                            ? attempt(node, write, body, attempts - 1, reconnects)
                            : CompletableFuture.failedFuture(failure);
                });
    }

    private CompletableFuture<Void> send(CreditWindow window, NodeId node, StorageRequest.Write write, ByteBuf body) {
        return nodes.write(node, write, body.retainedDuplicate())
                .thenAccept(written -> window.add(written.credit()))
                .whenComplete((nothing, failure) -> {
                    if (failure != null) {
                        window.forget();
                    }
                });
    }

    private CreditWindow window(NodeId node) {
        return new CreditWindow(
                (bytes, first) -> nodes.ask(node, new StorageRequest.Ask(sender, bytes, first)), patience, clock);
    }

    private static boolean is(Throwable failure, WireCode code) {
        return StorageException.unwrap(failure) instanceof WireException wire && wire.code() == code;
    }
}
