// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.Watchdog;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;

/**
 * Reads the PROXY protocol's header (versions 1 and 2) that a balancer in front of this one puts before a connection's
 * first byte, and remembers the client that it names. It has to be there: who may leave it out may also forge it. A
 * connection without one, or with a malformed one, or with none within the head timeout, is closed.
 */
final class ProxyHeader extends ChannelInboundHandlerAdapter {
    private static final AttributeKey<InetSocketAddress> CLIENT = AttributeKey.valueOf(ProxyHeader.class, "client");

    private final Worker worker;
    private final SocketChannel channel;
    private final Runnable serve;
    private final Watchdog watch;
    private final boolean reads;

    private ProxyHeader(Worker worker, SocketChannel channel, Runnable serve) {
        this.worker = worker;
        this.channel = channel;
        this.serve = serve;
        this.watch = new Watchdog(worker.headTimeouts(), channel::close);
        this.reads = channel.config().isAutoRead();
    }

    /**
     * Awaits the header on a connection that was accepted.
     *
     * @param serve puts the protocol that follows at the end of the pipeline
     */
    static void install(Worker worker, SocketChannel channel, Runnable serve) {
        var header = new ProxyHeader(worker, channel, serve);
        channel.pipeline().addLast(new HAProxyMessageDecoder(), header);
        channel.config().setAutoRead(true);
        worker.clock().tick();
        header.watch.arm();
    }

    /** Whom a connection comes from: the client that a header named, otherwise the other end. */
    static InetSocketAddress client(SocketChannel channel) {
        InetSocketAddress named = channel.attr(CLIENT).get();
        return named == null ? channel.remoteAddress() : named;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof HAProxyMessage header) {
            remember(header);
            header.release();
            watch.disarm();
            channel.config().setAutoRead(reads);
            serve.run();
            ctx.fireChannelActive();
            channel.pipeline().remove(this);
        } else {
            ctx.fireChannelRead(message);
        }
    }

    /** A header without addresses comes from the balancer itself: a health check. */
    private void remember(HAProxyMessage header) {
        if (header.sourceAddress() != null) {
            channel.attr(CLIENT).set(new InetSocketAddress(header.sourceAddress(), header.sourcePort()));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        worker.stats().note(ProxyStats.Event.REFUSED_REQUEST);
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        watch.disarm();
    }
}
