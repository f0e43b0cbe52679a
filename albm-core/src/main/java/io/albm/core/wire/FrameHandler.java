// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Answers requests. */
@FunctionalInterface
public interface FrameHandler {

    /**
     * Answers one request. Called on the event loop: must not block; blocking work belongs on
     * {@code transport.blocking()}. The frame becomes the handler's, which releases it when done, also when it fails.
     *
     * <p>A {@link WireException}, thrown or in the stage, goes to the caller as it is; anything else is logged by the
     * server and reaches the caller as {@link WireCode#INTERNAL}. Several requests of one connection are in flight at
     * once and may be answered in any order.
     */
    CompletionStage<Reply> handle(Frame request, Peer peer);

    /**
     * Says whether a request is taken, when its header has come and before there is memory for its body. Called on the event
     * loop, for one request of a connection after the other. What was taken comes to {@link #handle} next of its connection, unless
     * the connection ends before ({@link #closed}), or the server is shutting down.
     *
     * @param header stays the server's
     * @return what the caller is told; the connection goes on behind the body, of which nothing is kept. Null if it is taken
     * @throws WireException a fatal one, if the connection is of no more use
     */
    default @Nullable WireException refusal(int type, ByteBuf header, int bodyBytes, Peer peer) {
        return null;
    }

    /**
     * More has come of a request that was taken. Called on the event loop, at most once for each time that something is received;
     * never for a request that comes in one piece.
     *
     * @param missing bytes of its frame that are still to come, more than 0
     */
    default void arriving(int missing, Peer peer) {}

    /** A connection has ended: no more requests of it will come, also none that were taken. Called once, on its event loop. */
    default void closed(Peer peer) {}
}
