// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.compare.Payload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A body of 5 GiB that no server holds in memory: the large payload again and again, written as fast as it is taken. The
 * connection ends with it.
 */
final class LongBody extends ChannelInboundHandlerAdapter {
    static final String PATH = "/5g";
    static final int REPEATS = 5 << 10;

    private final ByteBuf part = Unpooled.unreleasableBuffer(
            Unpooled.directBuffer(Payload.MEGABYTE.content().length).writeBytes(Payload.MEGABYTE.content()));
    private int sent;

    private LongBody() {}

    /** Bytes of the whole body. */
    static long length() {
        return (long) REPEATS * Payload.MEGABYTE.content().length;
    }

    /** Answers a request for it. */
    static void send(ChannelHandlerContext ctx) {
        String head =
                "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\nETag: \"5g\"\r\n\r\n"
                        .formatted(length());
        ctx.write(ByteBufUtil.encodeString(ctx.alloc(), CharBuffer.wrap(head), StandardCharsets.US_ASCII));
        LongBody body = new LongBody();
        ctx.pipeline().addLast(body);
        body.write(ctx.pipeline().lastContext());
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        write(ctx);
    }

    private void write(ChannelHandlerContext ctx) {
        while (sent < REPEATS && ctx.channel().isWritable()) {
            sent++;
            ctx.writeAndFlush(part.duplicate(), ctx.voidPromise());
        }
    }
}
