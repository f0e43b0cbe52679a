// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.compare.Payload;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * The main of a process full of clients that have asked once and keep their connections: so many that no other process
 * has descriptors left for them. Source addresses take turns within the loopback network, since one has not ports enough
 * for every machine's settings.
 */
public final class IdleClients {
    private static final int SOURCES = 4;
    private static final int CONNECTING_AT_ONCE = 128;

    private final Semaphore window = new Semaphore(CONNECTING_AT_ONCE);
    private final byte[] request;

    private IdleClients(NodeAddress proxy) {
        this.request = "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n"
                .formatted(Payload.BYTE.path(), proxy)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Connects, asks, and waits for ever.
     *
     * @param arguments address of the proxy and number of connections
     */
    public static void main(String... arguments) throws InterruptedException {
        NodeAddress proxy = NodeAddress.parse(arguments[0]);
        new IdleClients(proxy).connect(proxy, Integer.parseInt(arguments[1]));
        System.out.println("READY " + arguments[1] + " connections were answered and are idle");
        while (true) {
            LockSupport.park();
        }
    }

    private void connect(NodeAddress proxy, int count) throws InterruptedException {
        Bootstrap clients = Transport.open(1).clientBootstrap().handler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new IdleClient());
            }
        });
        for (int n = 0; n < count; n++) {
            window.acquire();
            InetSocketAddress source = new InetSocketAddress("127.0.0." + (1 + n % SOURCES), 0);
            clients.connect(proxy.toSocketAddress(), source).addListener(connected -> {
                if (!connected.isSuccess()) {
                    giveUp(String.valueOf(connected.cause().getMessage()));
                }
            });
        }
        window.acquire(CONNECTING_AT_ONCE);
    }

    /** The parent sees that this process has ended, and why. */
    private static void giveUp(String why) {
        System.err.println("a connection failed: " + why);
        Runtime.getRuntime().halt(1);
    }

    /** One of them: asks once. An answer in two pieces would count twice, but it fits into one. */
    private final class IdleClient extends SimpleChannelInboundHandler<ByteBuf> {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ctx.writeAndFlush(Unpooled.wrappedBuffer(request), ctx.voidPromise());
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ByteBuf answer) {
            if (!answer.toString(StandardCharsets.US_ASCII).startsWith("HTTP/1.1 200 ")) {
                giveUp(answer.toString(StandardCharsets.US_ASCII));
            }
            window.release();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            giveUp("closed by the proxy");
        }
    }
}
