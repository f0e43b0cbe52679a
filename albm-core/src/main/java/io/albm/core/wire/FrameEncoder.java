// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/**
 * Writes a frame as its prelude and header, its body untouched, and its checksum: the socket gathers the pieces, so that
 * a body goes from the buffer it was read into straight to the kernel.
 */
@Sharable
final class FrameEncoder extends ChannelOutboundHandlerAdapter {

    static final FrameEncoder INSTANCE = new FrameEncoder();

    private FrameEncoder() {}

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (!(message instanceof Frame frame)) {
            ctx.write(message, promise);
            return;
        }
        var head = head(ctx, frame);
        frame.header().release();
        var body = frame.body();
        var checksum = new Checksum().update(head).update(body).value();
        if (body.isReadable()) {
            ctx.write(head, ctx.voidPromise());
            ctx.write(body, ctx.voidPromise());
            ctx.write(ctx.alloc().buffer(WireFormat.CHECKSUM).writeInt(checksum), promise);
        } else {
            body.release();
            ctx.write(head.writeInt(checksum), promise);
        }
    }

    private static ByteBuf head(ChannelHandlerContext ctx, Frame frame) {
        int header = frame.header().readableBytes();
        int body = frame.body().readableBytes();
        return ctx.alloc()
                .buffer(WireFormat.PRELUDE + header + WireFormat.CHECKSUM)
                .writeInt(WireFormat.MIN_LENGTH + header + body)
                .writeShort(WireFormat.MAGIC)
                .writeByte(WireFormat.VERSION)
                .writeByte(frame.type())
                .writeLong(frame.requestId())
                .writeInt(frame.deadlineMillis())
                .writeInt(header)
                .writeBytes(frame.header());
    }
}
