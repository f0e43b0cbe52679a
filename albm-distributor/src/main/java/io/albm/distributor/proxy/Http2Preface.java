// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a client that begins in clear text knows that HTTP/2 is spoken here, by its preface (RFC 9113, 3.4). The
 * first four bytes of that are those of no request of HTTP/1.1, so they tell; the codec checks the rest. Holds fewer
 * bytes than these until they are known.
 */
final class Http2Preface {
    private static final int BEGIN = 'P' << 24 | 'R' << 16 | 'I' << 8 | ' ';

    /** What the client speaks. */
    enum Verdict {
        HTTP1,
        HTTP2,
        UNKNOWN
    }

    private @Nullable ByteBuf held;

    /** What these bytes say, behind those that are held. */
    Verdict of(ByteBuf in) {
        int before = held == null ? 0 : held.readableBytes();
        int known = Math.min(Integer.BYTES - before, in.readableBytes());
        for (int i = 0; i < known; i++) {
            if (in.getByte(in.readerIndex() + i) != byteAt(before + i)) {
                return Verdict.HTTP1;
            }
        }
        return before + known == Integer.BYTES ? Verdict.HTTP2 : Verdict.UNKNOWN;
    }

    private static byte byteAt(int index) {
        return (byte) (BEGIN >>> (Integer.SIZE - Byte.SIZE * (index + 1)));
    }

    /** Holds bytes that say nothing yet; takes over the buffer. */
    void hold(ByteBuf in, ByteBufAllocator allocator) {
        held = all(in, allocator);
    }

    /** What was held, with these bytes behind it; takes over the buffer. */
    ByteBuf all(ByteBuf in, ByteBufAllocator allocator) {
        ByteBuf first = held;
        if (first == null) {
            return in;
        }
        held = null;
        ByteBuf both = allocator.directBuffer(first.readableBytes() + in.readableBytes());
        both.writeBytes(first).writeBytes(in);
        first.release();
        in.release();
        return both;
    }

    /** Forgets what is held. */
    void discard() {
        if (held != null) {
            held.release();
            held = null;
        }
    }
}
