// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeAddress;
import io.albm.core.wire.FrameClient;
import io.albm.core.wire.FrameServer;
import io.albm.core.wire.Reply;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TransportTest {

    static Stream<Transport> transports() {
        return Stream.of(Transport.open(1), Transport.openPortable(1));
    }

    @ParameterizedTest
    @MethodSource("transports")
    void carriesFramesOnEveryKindOfEventLoop(Transport transport) {
        var any = new NodeAddress("127.0.0.1", 0);
        try (transport;
                var server = FrameServer.bind(
                                transport, any, (frame, _) -> CompletableFuture.completedFuture(Reply.of(1)))
                        .join();
                var client = new FrameClient(transport)) {
            assertThat(client.ping(server.address(), Duration.ofSeconds(20))).succeedsWithin(Duration.ofSeconds(20));
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void writesOnAfterThePeerHasEndedItsDirection(Transport transport) throws Exception {
        byte[] answer = new byte[16 << 20];
        var ended = new CountDownLatch(1);
        try (transport;
                var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Channel channel = transport
                    .clientBootstrap()
                    .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                    .handler(new ChannelInboundHandlerAdapter() {
                        @Override
                        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                            if (event == ChannelInputShutdownReadComplete.INSTANCE) {
                                ended.countDown();
                            }
                        }
                    })
                    .connect(server.getLocalSocketAddress())
                    .sync()
                    .channel();
            try (Socket peer = server.accept()) {
                peer.shutdownOutput();
                ended.await();
                channel.eventLoop()
                        .submit(() -> channel.config().setAutoRead(true))
                        .sync();
                channel.writeAndFlush(Unpooled.wrappedBuffer(answer)).addListener(ChannelFutureListener.CLOSE);

                assertThat(peer.getInputStream().readAllBytes()).hasSameSizeAs(answer);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void closesAllChannelsOfALoopThatIsEndedWhileItRunsTasks(Transport transport) throws Exception {
        var told = new CountDownLatch(1);
        try (transport;
                var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Channel channel = transport
                    .clientBootstrap()
                    .handler(new ChannelInboundHandlerAdapter() {
                        @Override
                        public void channelInactive(ChannelHandlerContext ctx) {
                            told.countDown();
                        }
                    })
                    .connect(server.getLocalSocketAddress())
                    .sync()
                    .channel();
            channel.eventLoop().execute(() -> transport.eventLoops().shutdownGracefully(0, 0, TimeUnit.MILLISECONDS));

            assertThat(transport.eventLoops().terminationFuture().await(10, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(channel.isOpen()).isFalse();
            assertThat(told.getCount()).isZero();
        }
    }
}
