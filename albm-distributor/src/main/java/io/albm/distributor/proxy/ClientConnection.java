// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.topology.ClearText;
import io.albm.distributor.http.Client;
import io.albm.distributor.stats.Traffic.Count;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection from when it is accepted to when it is closed, or has become one of HTTP/2 or a tunnel. Its
 * requests are its {@link Http1Stream}'s. Confined to its event loop.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter implements ClientHandler {
    private static final int DRAIN_GRACE_MILLIS = 500;

    private final Worker worker;
    private final SocketChannel channel;
    private final boolean secure;
    private final Frontend frontend;
    private final Http1Stream stream;
    private @Nullable Http2Preface preface;
    private @Nullable Client client;
    private boolean switched;

    /**
     * A connection that was accepted.
     *
     * @param secure whether it is encrypted
     * @param frontend where it came in
     */
    ClientConnection(Worker worker, SocketChannel channel, boolean secure, Frontend frontend) {
        this.worker = worker;
        this.channel = channel;
        this.secure = secure;
        this.frontend = frontend;
        this.stream = new Http1Stream(worker, this, channel);
        this.preface = !secure && frontend.terms().spec().clearText() == ClearText.ANY ? new Http2Preface() : null;
    }

    @Override
    public Frontend frontend() {
        return frontend;
    }

    /** Who it is. */
    Client client() {
        Client known = client;
        if (known == null) {
            known = Client.of(ProxyHeader.client(channel), secure);
            client = known;
        }
        return known;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        worker.came(this);
        worker.clock().tick();
        stream.connected();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        worker.clock().tick();
        ByteBuf in = (ByteBuf) message;
        frontend.traffic().add(Count.BYTES_IN, in.readableBytes());
        Http2Preface expected = preface;
        if (expected == null) {
            stream.read(in);
        } else {
            readFirst(ctx, in, expected);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        stream.readComplete();
    }

    /** A client that begins with HTTP/2 knows that it is spoken here (RFC 9113, 3.3). */
    private void readFirst(ChannelHandlerContext ctx, ByteBuf in, Http2Preface expected) {
        switch (expected.of(in)) {
            case HTTP1 -> {
                preface = null;
                stream.read(expected.all(in, ctx.alloc()));
            }
            case HTTP2 -> switchToHttp2(ctx, expected.all(in, ctx.alloc()));
            case UNKNOWN -> {
                expected.hold(in, ctx.alloc());
                stream.expectHead();
            }
        }
    }

    private void switchToHttp2(ChannelHandlerContext ctx, ByteBuf begun) {
        stream.close();
        worker.went(this);
        new Http2Connection(worker, channel, client(), frontend).install();
        ctx.fireChannelRead(begun);
        channel.pipeline().remove(this);
    }

    /**
     * Leaves the connection to a tunnel.
     *
     * @param behind what came already; null for nothing
     */
    void switchTo(TunnelEnd tunnel, @Nullable ByteBuf behind) {
        switched = true;
        channel.closeFuture().addListener(closed -> gone());
        ChannelHandlerContext own = channel.pipeline().context(this);
        channel.pipeline().replace(this, null, tunnel);
        if (behind != null) {
            tunnel.channelRead(own, behind);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (channel.isWritable()) {
            worker.clock().tick();
            stream.writable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        gone();
        if (preface != null) {
            preface.discard();
        }
        stream.close();
    }

    private void gone() {
        worker.went(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        channel.close();
    }

    /** Serves the request in hand and then closes; a client that is quiet gets a moment for what is on its way. */
    @Override
    public void drain() {
        stream.makeLast();
        if (stream.isQuiet()) {
            closeSoon();
        }
    }

    /** Gives the client a moment for what is on its way. */
    void closeSoon() {
        var _ = channel.eventLoop().schedule(this::closeIfQuiet, DRAIN_GRACE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void closeIfQuiet() {
        if (stream.isQuiet() && !stream.isLingering() && !switched) {
            stream.closeWhenSent();
        }
    }

    @Override
    public void close() {
        channel.close();
    }
}
