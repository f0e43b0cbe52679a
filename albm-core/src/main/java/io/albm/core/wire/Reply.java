// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** What a handler answers; the server adds request id and checksum. Ownership of the buffers passes to the server. */
public record Reply(int type, ByteBuf header, ByteBuf body) {

    public Reply {
        Frame.checkLengths(header, body);
    }

    public static Reply of(int type, ByteBuf header, ByteBuf body) {
        return new Reply(type, header, body);
    }

    /** An answer that needs no body. */
    public static Reply of(int type, ByteBuf header) {
        return new Reply(type, header, Unpooled.EMPTY_BUFFER);
    }

    /** An answer that says all by its type. */
    public static Reply of(int type) {
        return new Reply(type, Unpooled.EMPTY_BUFFER, Unpooled.EMPTY_BUFFER);
    }
}
