// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection in two steps: first our side, then, after the client has closed or a while later, the rest. Closing
 * at once with unread bytes would reset the connection, and the client would lose our last words, which say what it did
 * wrong. Stands at the socket's end of the pipeline.
 */
final class LingeringClose extends ChannelDuplexHandler {
    private static final int LINGER_SECONDS = 2;

    private boolean lingering;

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        if (lingering || !ctx.channel().isActive()) {
            ctx.close(promise);
            return;
        }
        lingering = true;
        ((DuplexChannel) ctx.channel()).shutdownOutput().addListener(done -> {
            ctx.channel().config().setAutoRead(true);
            ctx.read();
        });
        ctx.channel().closeFuture().addListener(closed -> promise.trySuccess());
        var _ = ctx.executor().schedule(() -> ctx.close(), LINGER_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (lingering) {
            ReferenceCountUtil.release(message);
        } else {
            ctx.fireChannelRead(message);
        }
    }
}
