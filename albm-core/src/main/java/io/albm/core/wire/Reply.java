// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.FileRegion;
import io.netty.util.ReferenceCounted;

/**
 * What a handler answers; the server adds request id and checksum. Ownership of header and body passes to the server.
 *
 * @param body a {@link ByteBuf}; or a {@link FileRegion}, whose bytes the kernel takes from the file to the socket, if the type
 *     {@linkplain Frame#checksBody says} that the frame's checksum leaves the body out. The socket's event loop waits for
 *     the disk unless those bytes are in the kernel's memory
 * @param sent run once, on the connection's event loop, when the kernel has all of it or the connection is lost; quick
 */
public record Reply(int type, ByteBuf header, ReferenceCounted body, Runnable sent) {
    public Reply {
        if (!(body instanceof ByteBuf) && (!(body instanceof FileRegion) || Frame.checksBody(type))) {
            throw new IllegalArgumentException("body of type %s in a frame of type %02x: expected bytes in memory"
                    .formatted(body.getClass().getSimpleName(), type));
        }
        Frame.checkLengths(header.readableBytes(), bytes(body));
    }

    public static Reply of(int type, ByteBuf header, ReferenceCounted body) {
        return new Reply(type, header, body, Reply::nobodyAsks);
    }

    /** An answer that needs no body. */
    public static Reply of(int type, ByteBuf header) {
        return of(type, header, Unpooled.EMPTY_BUFFER);
    }

    /** An answer that says all by its type. */
    public static Reply of(int type) {
        return of(type, Unpooled.EMPTY_BUFFER);
    }

    /** The same, for who wants to know when it has left. */
    public Reply whenSent(Runnable then) {
        return new Reply(type, header, body, then);
    }

    private static void nobodyAsks() {}

    int bodyBytes() {
        return (int) bytes(body);
    }

    private static long bytes(ReferenceCounted body) {
        return body instanceof FileRegion file ? file.count() : ((ByteBuf) body).readableBytes();
    }
}
