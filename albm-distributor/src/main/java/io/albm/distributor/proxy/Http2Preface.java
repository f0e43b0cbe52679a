// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * How a client that knows that HTTP/2 is spoken begins (RFC 9113, 3.4). Its first four bytes are those of no request of
 * HTTP/1.1, so they tell; the codec checks the rest.
 */
final class Http2Preface {
    private static final int BEGIN = 'P' << 24 | 'R' << 16 | 'I' << 8 | ' ';

    private Http2Preface() {}

    /** Whether these may be its first bytes. */
    static boolean isBegun(ByteBuf in) {
        int known = Math.min(Integer.BYTES, in.readableBytes());
        for (int i = 0; i < known; i++) {
            if (in.getByte(in.readerIndex() + i) != (byte) (BEGIN >>> (Integer.SIZE - Byte.SIZE * (i + 1)))) {
                return false;
            }
        }
        return known > 0;
    }

    /** Whether these are its first bytes. */
    static boolean is(ByteBuf in) {
        return in.readableBytes() >= Integer.BYTES && isBegun(in);
    }

    /** Both together; takes over both. */
    static ByteBuf joined(ByteBuf first, ByteBuf second, ByteBufAllocator allocator) {
        ByteBuf both = allocator.directBuffer(first.readableBytes() + second.readableBytes());
        both.writeBytes(first).writeBytes(second);
        first.release();
        second.release();
        return both;
    }
}
