// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.tls.ServerCertificates;
import io.albm.core.topology.FrontendMode;
import io.albm.distributor.http.Client;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SniHandler;

/**
 * A client's connection until its handshake is done: the certificate follows the name that the client asks for, the
 * protocol of HTTP what it speaks (ALPN, RFC 7301). In mode {@code tcp} what is spoken under TLS is passed on in clear text. A client that does not get that far within the head timeout is closed.
 */
final class SecureClient extends ApplicationProtocolNegotiationHandler {
    private final Worker worker;
    private final SocketChannel channel;
    private final Frontend frontend;
    private final FrontendMode mode;

    private SecureClient(Worker worker, SocketChannel channel, Frontend frontend, FrontendMode mode) {
        super(ApplicationProtocolNames.HTTP_1_1);
        this.worker = worker;
        this.channel = channel;
        this.frontend = frontend;
        this.mode = mode;
    }

    /**
     * Puts TLS in front of a connection that was accepted.
     *
     * @param frontend where it came in
     * @param mode what is spoken there under TLS
     */
    static void install(
            Worker worker,
            SocketChannel channel,
            ServerCertificates certificates,
            Frontend frontend,
            FrontendMode mode) {
        ChannelPipeline pipeline = channel.pipeline();
        // No asynchronous mapping: certificates are in memory.
        pipeline.addLast(new SniHandler(
                certificates::forName, worker.settings().headTimeout().toMillis()));
        pipeline.addLast(new SecureClient(worker, channel, frontend, mode));
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
        if (mode == FrontendMode.TCP) {
            channel.config().setAutoRead(false).setAllowHalfClosure(true);
            channel.pipeline().addLast(new TcpSession(worker, channel, frontend));
            ctx.fireChannelActive();
        } else if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
            new Http2Connection(worker, channel, Client.of(ProxyHeader.client(channel), true), frontend).install();
        } else {
            channel.pipeline().addLast(new ClientConnection(worker, channel, true, frontend));
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
}
