// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import java.util.concurrent.CompletionStage;

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
}
