// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Says which frames of a connection are taken, before there is memory for their bodies. Asked on the connection's event loop. */
@FunctionalInterface
interface FrameGate {
    /** Takes all. */
    FrameGate OPEN = (type, header, bodyBytes) -> null;

    /**
     * Asked once for each frame, when its header is there.
     *
     * @param header stays the caller's, whole, with its indices as they are
     * @return why the frame is not taken: its body is dropped as it comes; null if it is taken
     * @throws WireException if the connection is of no more use
     */
    @Nullable
    WireException refusal(int type, ByteBuf header, int bodyBytes);

    /** More has come of a frame that was taken, of which so many bytes are missing. Not told of one that comes in one piece. */
    default void arriving(int missing) {}
}
