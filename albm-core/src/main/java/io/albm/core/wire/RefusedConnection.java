// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/** A connection beyond the bound: told so, then closed. */
final class RefusedConnection extends ChannelInboundHandlerAdapter {

    private final int maxConnections;

    RefusedConnection(int maxConnections) {
        this.maxConnections = maxConnections;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        var reason = new WireException(WireCode.BUSY, "more than %d connections".formatted(maxConnections));
        ServerConnection.closeBehind(ctx.channel(), ctx.writeAndFlush(ErrorFrames.encode(ctx.alloc(), 0, reason)));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
