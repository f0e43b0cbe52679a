// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DecoratingHttp2FrameWriter;
import io.netty.handler.codec.http2.Http2FrameWriter;

/**
 * Counts the answers that a client makes us owe it (acknowledged settings and pings, resets) and that it does not take.
 * They are outside flow control; a client that asks for them and reads nothing would fill our memory. Beyond
 * {@value #MAX_OWED} its connection is closed. Confined to its event loop.
 */
final class BoundedHttp2Writer extends DecoratingHttp2FrameWriter {
    private static final int MAX_OWED = 10_000;

    private int owed;

    BoundedHttp2Writer(Http2FrameWriter writer) {
        super(writer);
    }

    @Override
    public ChannelFuture writeSettingsAck(ChannelHandlerContext ctx, ChannelPromise promise) {
        return super.writeSettingsAck(ctx, counted(ctx, promise));
    }

    @Override
    public ChannelFuture writePing(ChannelHandlerContext ctx, boolean ack, long data, ChannelPromise promise) {
        return super.writePing(ctx, ack, data, counted(ctx, promise));
    }

    @Override
    public ChannelFuture writeRstStream(
            ChannelHandlerContext ctx, int streamId, long errorCode, ChannelPromise promise) {
        return super.writeRstStream(ctx, streamId, errorCode, counted(ctx, promise));
    }

    private ChannelPromise counted(ChannelHandlerContext ctx, ChannelPromise promise) {
        if (++owed > MAX_OWED) {
            ctx.pipeline().firstContext().close();
        }
        ChannelPromise counted = promise.unvoid();
        counted.addListener(written -> owed--);
        return counted;
    }
}
