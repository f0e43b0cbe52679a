// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

/** Error frames: type 0x00, header = code (unsigned 16 bit) and message (string), no body. */
final class ErrorFrames {

    private static final int MAX_MESSAGE_CHARS = 1000;

    private ErrorFrames() {}

    static Frame encode(ByteBufAllocator allocator, long requestId, WireException error) {
        return new Frame(Frame.ERROR, requestId, 0, header(allocator, error), Unpooled.EMPTY_BUFFER);
    }

    /** The error in a frame's header; the frame stays the caller's. */
    static WireException decode(Frame frame) {
        try {
            var code = WireCode.of(frame.header().readUnsignedShort());
            return new WireException(code, WireBuffers.getString(frame.header()));
        } catch (WireException | IndexOutOfBoundsException e) {
            return new WireException(WireCode.MALFORMED, "the peer sent an error frame that cannot be read");
        }
    }

    /** Whether the peer closes the connection behind this frame; does not move the header's reader. */
    static boolean isFatal(Frame frame) {
        var header = frame.header();
        return frame.type() == Frame.ERROR
                && header.readableBytes() >= Short.BYTES
                && WireCode.of(header.getUnsignedShort(header.readerIndex())).fatal();
    }

    private static ByteBuf header(ByteBufAllocator allocator, WireException error) {
        var text = String.valueOf(error.getMessage());
        var header = allocator.buffer(Short.BYTES + Short.BYTES + text.length());
        header.writeShort(error.code().number());
        WireBuffers.putString(header, text.substring(0, Math.min(text.length(), MAX_MESSAGE_CHARS)));
        return header;
    }
}
