// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.tls.ServerCertificates;
import io.albm.distributor.http.Client;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SniHandler;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client's connection until its handshake is done: the certificate follows the name that the client asks for, the
 * protocol what it speaks (ALPN, RFC 7301). A client that does not get that far within the head timeout is closed.
 */
final class SecureClient extends ApplicationProtocolNegotiationHandler {
    private final Worker worker;
    private final SocketChannel channel;
    private final AtomicInteger open;
    private boolean handedOver;

    private SecureClient(Worker worker, SocketChannel channel, AtomicInteger open) {
        super(ApplicationProtocolNames.HTTP_1_1);
        this.worker = worker;
        this.channel = channel;
        this.open = open;
    }

    /**
     * Puts TLS in front of a connection that was accepted.
     *
     * @param open how many there are; counted down when this one closes
     */
    static void install(Worker worker, SocketChannel channel, ServerCertificates certificates, AtomicInteger open) {
        ChannelPipeline pipeline = channel.pipeline();
        // No asynchronous mapping: certificates are in memory.
        pipeline.addLast(new SniHandler(
                certificates::forName, worker.settings().headTimeout().toMillis()));
        pipeline.addLast(new SecureClient(worker, channel, open));
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
        handedOver = true;
        if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
            new Http2Connection(worker, channel, Client.of(ProxyHeader.client(channel), true), open).install();
        } else {
            channel.pipeline().addLast(new ClientConnection(worker, channel, true, open));
        }
    }

    @Override
    protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
        worker.stats().note(ProxyStats.Event.HANDSHAKE_FAILURE);
        ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        if (!handedOver) {
            handedOver = true;
            open.decrementAndGet();
        }
        super.channelInactive(ctx);
    }
}
