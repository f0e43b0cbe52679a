// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.SendProgress;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DecoratingHttp2FrameWriter;
import io.netty.handler.codec.http2.Http2FrameWriter;
import java.util.HashMap;
import java.util.Map;

/**
 * Whether a client takes what the streams of its HTTP/2 connection have for it. A stream is held up by the window that its
 * client gives it, or by the connection, which all streams share. So what counts is the data that the windows let out, at
 * least {@code min-progress} of it; and while the connection is what is held up, whatever that sends. Confined to its
 * event loop; only streams that are held up are watched.
 */
final class StreamProgress extends DecoratingHttp2FrameWriter {
    private final Channel channel;
    private final int leastBytes;
    private final Map<Integer, Watch> watched = new HashMap<>();

    private final class Watch {
        private final SendProgress connection = new SendProgress(channel);
        private boolean connectionHeldUp;
        private long sentBytes;

        void begin() {
            sentBytes = 0;
            connectionHeldUp = !channel.isWritable();
            connection.watch();
        }

        boolean isMoving() {
            boolean moving = sentBytes >= leastBytes || (connectionHeldUp && connection.isMoving());
            begin();
            return moving;
        }
    }

    /**
     * Watches nothing yet.
     *
     * @param channel of the connection
     * @param minProgressBytes what has to move between two looks; 0 for a byte
     */
    StreamProgress(Http2FrameWriter writer, Channel channel, int minProgressBytes) {
        super(writer);
        this.channel = channel;
        this.leastBytes = Math.max(1, minProgressBytes);
    }

    @Override
    public ChannelFuture writeData(
            ChannelHandlerContext ctx,
            int streamId,
            ByteBuf data,
            int padding,
            boolean endStream,
            ChannelPromise promise) {
        Watch watch = watched.isEmpty() ? null : watched.get(streamId);
        if (watch != null) {
            watch.sentBytes += data.readableBytes();
        }
        return super.writeData(ctx, streamId, data, padding, endStream, promise);
    }

    /** Begins to watch a stream. */
    void watch(int stream) {
        watched.computeIfAbsent(stream, _ -> new Watch()).begin();
    }

    /** Whether enough was taken since this was asked last, or the watch began. */
    boolean isMoving(int stream) {
        Watch watch = watched.get(stream);
        return watch != null && watch.isMoving();
    }

    /** The stream is no more. */
    void forget(int stream) {
        watched.remove(stream);
    }
}
