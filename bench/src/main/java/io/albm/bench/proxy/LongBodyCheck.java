// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.compare.Payload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;

/**
 * The server's side of an upload of the {@link LongBody}: compares every byte, answers when all are there, and closes. A
 * wrong one closes the connection without an answer.
 */
final class LongBodyCheck extends ChannelInboundHandlerAdapter {
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final ByteBuf part = Unpooled.wrappedBuffer(Payload.MEGABYTE.content());
    private long received;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        boolean right = isNext(bytes);
        bytes.release();
        if (!right) {
            ctx.close();
        } else if (received == LongBody.length()) {
            ctx.writeAndFlush(Unpooled.wrappedBuffer(ANSWER)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private boolean isNext(ByteBuf bytes) {
        while (bytes.isReadable()) {
            int at = (int) (received % part.capacity());
            int length = Math.min(bytes.readableBytes(), part.capacity() - at);
            if (!ByteBufUtil.equals(bytes, bytes.readerIndex(), part, at, length)) {
                return false;
            }
            bytes.skipBytes(length);
            received += length;
        }
        return true;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
