// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.Watchdog;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol.AddressFamily;
import io.netty.util.AttributeKey;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

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
    public void channelRead(ChannelHandlerContext ctx, Object message) throws UnknownHostException {
        if (message instanceof HAProxyMessage header) {
            try {
                remember(header);
            } finally {
                header.release();
            }
            watch.disarm();
            channel.config().setAutoRead(reads);
            serve.run();
            ctx.fireChannelActive();
            channel.pipeline().remove(this);
        } else {
            ctx.fireChannelRead(message);
        }
    }

    private void remember(HAProxyMessage header) throws UnknownHostException {
        byte[] source = source(header);
        if (source != null) {
            channel.attr(CLIENT).set(new InetSocketAddress(InetAddress.getByAddress(source), header.sourcePort()));
        }
    }

    /**
     * The client's literal address. A header without one comes from the balancer itself, a health check; one with a path
     * comes from a client on the balancer's host. Nothing is ever resolved: the loop has other clients.
     */
    private static byte @Nullable [] source(HAProxyMessage header) {
        String address = header.sourceAddress();
        return address == null || header.proxiedProtocol().addressFamily() == AddressFamily.AF_UNIX
                ? null
                : NetUtil.createByteArrayFromIpAddressString(address);
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
