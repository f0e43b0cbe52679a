// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.node.NodeAddress;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ListenerTest {
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final int BOUND_MILLIS = 20_000;

    private final Echo echo = new Echo();

    static Stream<Transport> transports() {
        return Stream.of(Transport.open(2), Transport.openPortable(2));
    }

    /** Says back what it is told, and remembers its connections. */
    @Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {
        private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            accepted.add(ctx.channel());
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.writeAndFlush(message);
        }

        private Channel next() throws InterruptedException {
            return accepted.poll(BOUND_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private ServerBootstrap served(ServerBootstrap servers) {
        return servers.childHandler(echo);
    }

    private static Socket connect(Listener listener) throws IOException {
        Socket socket = new Socket(listener.address().host(), listener.address().port());
        socket.setSoTimeout(BOUND_MILLIS);
        return socket;
    }

    @ParameterizedTest
    @MethodSource("transports")
    void everyLoopServesConnections(Transport transport) throws Exception {
        try (transport;
                Listener listener = Listener.open(transport, ANY_PORT, this::served)) {
            Set<EventLoop> loops = new HashSet<>();
            for (int each = 0; each < 64; each++) {
                try (Socket client = connect(listener)) {
                    client.getOutputStream().write('x');
                    assertThat(client.getInputStream().read()).isEqualTo('x');
                    loops.add(echo.next().eventLoop());
                }
            }

            assertThat(loops).hasSize(2);
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void hearsAClientThatWasSilentWhenItWasAccepted(Transport transport) throws Exception {
        try (transport;
                Listener listener = Listener.open(transport, ANY_PORT, this::served);
                Socket client = connect(listener)) {
            Channel accepted = echo.next();
            accepted.eventLoop().submit(() -> {}).sync();

            client.getOutputStream().write('x');

            assertThat(client.getInputStream().read()).isEqualTo('x');
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void endsAConnectionInTheTurnThatAcceptedIt(Transport transport) throws Exception {
        ChannelInboundHandlerAdapter refusing = new Refusing();
        try (transport;
                Listener listener = Listener.open(transport, ANY_PORT, servers -> servers.childHandler(refusing));
                Socket client = connect(listener)) {
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Sharable
    private static final class Refusing extends ChannelInboundHandlerAdapter {
        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            ctx.close();
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void refusesAPortThatAnotherListenerHas(Transport transport) throws Exception {
        try (transport;
                Listener first = Listener.open(transport, ANY_PORT, this::served)) {
            assertThatThrownBy(() -> Listener.open(transport, first.address(), this::served))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the port is in use");
        }
    }

    @Test
    void connectionsWithinThisMachineAreNotPaced() throws Exception {
        try (Transport transport = Transport.open(1)) {
            Assumptions.assumeTrue(transport.isEpoll());
            try (Listener listener = Listener.open(transport, ANY_PORT, this::served);
                    Socket client = connect(listener)) {
                client.getOutputStream().write('x');
                assertThat(congestionControl((EpollSocketChannel) echo.next())).isEqualTo("reno");
            }
        }
    }

    private static String congestionControl(EpollSocketChannel channel) {
        ByteBuffer found = channel.config().getOption(new RawUnixChannelOption("TCP_CONGESTION", 6, 13, 4));
        return StandardCharsets.US_ASCII.decode(found).toString();
    }
}
