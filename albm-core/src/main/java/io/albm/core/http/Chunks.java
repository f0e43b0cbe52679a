// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * Frames data that came without chunks (RFC 9112, 7.1): a {@link #line} before each piece, {@link #last} at the end. The
 * line break that ends a piece is written with the next line, so that a piece costs one small buffer. Belongs to one event
 * loop.
 */
public final class Chunks {
    private static final byte[] LAST = "\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int LINE_BYTES = 12;
    private static final int LONGEST_DIGIT_SHIFT = 28;

    private boolean first = true;

    /** Gets ready for another body. */
    public void reset() {
        first = true;
    }

    /** What stands before a piece of data of that many bytes, at least 1. */
    public ByteBuf line(int size, ByteBufAllocator allocator) {
        ByteBuf line = begin(allocator, LINE_BYTES);
        int shift = LONGEST_DIGIT_SHIFT;
        while (shift > 0 && size >>> shift == 0) {
            shift -= 4;
        }
        for (; shift >= 0; shift -= 4) {
            line.writeByte(Character.forDigit(size >>> shift & 0xf, 16));
        }
        return line.writeByte('\r').writeByte('\n');
    }

    private ByteBuf begin(ByteBufAllocator allocator, int capacity) {
        ByteBuf line = allocator.directBuffer(capacity, capacity);
        if (!first) {
            line.writeByte('\r').writeByte('\n');
        }
        first = false;
        return line;
    }

    /** The end of a body without trailers. */
    public ByteBuf last() {
        return first ? Unpooled.wrappedBuffer(LAST, 2, LAST.length - 2) : Unpooled.wrappedBuffer(LAST);
    }

    /**
     * The end of a body with trailers.
     *
     * @param trailers the last chunk, the lines and the empty one
     */
    public ByteBuf last(HeadWriter trailers, ByteBufAllocator allocator) {
        ByteBuf end = begin(allocator, trailers.length() + 2);
        return trailers.appendTo(end);
    }
}
