// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.SendProgress;
import io.albm.core.net.Watchdog;
import io.albm.distributor.http.Client;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One client's HTTP/2 connection: a place for its streams, each a {@link Http2Stream}. Framing, header compression and
 * flow control are the {@link Http2Codec}'s.
 * Confined to its event loop.
 */
final class Http2Connection extends ChannelInboundHandlerAdapter implements ClientHandler {
    private final Worker worker;
    private final Channel channel;
    private final Client client;
    private final Frontend frontend;
    private final Watchdog idleWatch;
    private final Watchdog sendWatch;
    private final Watchdog lingerWatch;
    private final SendProgress progress;
    private final StreamProgress streamProgress;
    private final Set<Http2Stream> streams = new HashSet<>();

    /**
     * A connection that was accepted.
     *
     * @param frontend where it came in
     */
    Http2Connection(Worker worker, Channel channel, Client client, Frontend frontend) {
        this.worker = worker;
        this.channel = channel;
        this.client = client;
        this.frontend = frontend;
        this.idleWatch = new Watchdog(worker.quietTimeouts(), this::quietTooLong);
        this.sendWatch = new Watchdog(worker.farewellTimeouts(), this::tookNothing);
        this.lingerWatch = new Watchdog(worker.lingerTimeouts(), this::closeAtOnce);
        this.progress = new SendProgress(channel);
        this.streamProgress = new StreamProgress(
                new BoundedHttp2Writer(new DefaultHttp2FrameWriter()),
                channel,
                worker.settings().minProgressBytes());
    }

    /** Puts the connection at the end of its channel's pipeline. */
    void install() {
        Http2FrameCodec codec = Http2Codec.forClient(worker.settings(), streamProgress);
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addFirst(new LingeringClose());
        pipeline.addLast(codec);
        pipeline.addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.pipeline().addLast(new Http2Stream(worker, Http2Connection.this, stream));
            }
        }));
        pipeline.addLast(this);
        channel.write(Http2Codec.connectionWindow(codec));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        worker.came(this);
        worker.clock().tick();
        idleWatch.arm();
    }

    /** Frames that belong to no stream are the codec's business. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
        ReferenceCountUtil.release(frame);
    }

    /** The codec would leave a stream open that has frames which nobody reads: its request would never learn of this end. */
    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        idleWatch.disarm();
        sendWatch.disarm();
        lingerWatch.disarm();
        worker.went(this);
        List.copyOf(streams).forEach(Http2Stream::close);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        worker.clock().tick();
        if (channel.isWritable()) {
            sendWatch.disarm();
        } else {
            progress.watch();
            sendWatch.arm();
        }
    }

    private void tookNothing() {
        if (progress.isMoving()) {
            sendWatch.arm();
        } else {
            closeAtOnce();
        }
    }

    /**
     * The codec says goodbye; a client that does not take even that is not waited for. Nor is one that is closed before its
     * time, to make room for another: there is none before it is gone.
     */
    private void quietTooLong() {
        lingerWatch.arm();
        channel.close();
        if (idleWatch.isEarly(worker.clock().now())) {
            closeAtOnce();
        }
    }

    /** Past the codec, which would wait for its streams. */
    private void closeAtOnce() {
        channel.pipeline().firstContext().close();
    }

    /** What the client broke the protocol with, the codec tells it, and closes. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof Http2Exception)) {
            channel.close();
        }
    }

    @Override
    public Frontend frontend() {
        return frontend;
    }

    Client client() {
        return client;
    }

    /** How the client takes what streams have for it. */
    StreamProgress streamProgress() {
        return streamProgress;
    }

    void opened(Http2Stream stream) {
        streams.add(stream);
        idleWatch.disarm();
    }

    void closed(Http2Stream stream) {
        streams.remove(stream);
        if (streams.isEmpty() && channel.isActive()) {
            idleWatch.arm();
        }
    }

    /** The codec says goodbye, gives the streams in hand {@code http2-drain-timeout}, and closes when there is none. */
    @Override
    public void drain() {
        channel.close();
    }

    @Override
    public void close() {
        closeAtOnce();
    }
}
