// SPDX-License-Identifier: Apache-2.0
package io.albm.agent.balancer;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Says one line to whoever connects, and closes. What HAProxy sends first ({@code agent-send}) is read and not looked at:
 * closing over unread bytes would reset the connection and lose the line. At most {@value #MAX_CONNECTIONS} connections at
 * a time, {@value #MAX_SECONDS} s each; one more is closed unanswered, which HAProxy does not mind. Thread-safe.
 */
final class AgentCheckServer implements AutoCloseable {
    private static final int MAX_CONNECTIONS = 256;
    private static final int MAX_SECONDS = 2;

    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Channel listener;

    /**
     * Binds at once.
     *
     * @param line what to say, asked for each connection on an event loop
     * @throws IOException if the address cannot be had
     */
    AgentCheckServer(Transport transport, NodeAddress address, Supplier<String> line) throws IOException {
        this.listener = Transport.listen(
                transport.serverBootstrap().childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.add(channel);
                        channel.pipeline().addLast(new Answer(line));
                    }
                }),
                address);
    }

    NodeAddress address() {
        return Transport.localAddress(listener);
    }

    /** Connections of this moment. */
    int connections() {
        return connections.size();
    }

    /** One connection. */
    private final class Answer extends ChannelInboundHandlerAdapter {
        private final Supplier<String> line;

        Answer(Supplier<String> line) {
            this.line = line;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            if (connections.size() > MAX_CONNECTIONS) {
                context.close();
                return;
            }
            context.writeAndFlush(Unpooled.copiedBuffer(line.get(), StandardCharsets.US_ASCII))
                    .addListener(sent -> ((DuplexChannel) context.channel()).shutdownOutput());
            var closing = context.executor().schedule(() -> context.close(), MAX_SECONDS, TimeUnit.SECONDS);
            context.channel().closeFuture().addListener(closed -> closing.cancel(false));
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
    }
}
