// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeAddress;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, disabledReason = "there is epoll nowhere else")
class DirectReaderTest {
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean direct;

    /** Says back what it is told, and which way it came: {@code d} by the reader, {@code c} by the channel. */
    private final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            var socket = (UnixChannel) ctx.channel();
            DirectReader.install(socket, () -> direct && readDirectly(socket));
        }

        private static boolean readDirectly(UnixChannel from) {
            var bytes = ByteBuffer.allocateDirect(100);
            try {
                int read = from.fd().read(bytes, 0, bytes.capacity());
                if (read > 0) {
                    from.write(from.alloc().buffer().writeBytes(new byte[] {'d'}));
                    from.writeAndFlush(from.alloc().buffer().writeBytes(bytes.limit(read)));
                }
                return read > 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.write(ctx.alloc().buffer().writeBytes(new byte[] {'c'}));
            ctx.writeAndFlush(message);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            ended.countDown();
        }
    }

    private static String ask(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return new String(client.getInputStream().readNBytes(text.length() + 1), StandardCharsets.US_ASCII);
    }

    @Test
    void leavesToTheChannelWhatTheReaderDoesNotTake() throws Exception {
        try (Transport transport = Transport.open(2);
                Listener listener = Listener.open(
                        transport,
                        ANY_PORT,
                        servers -> servers.childHandler(new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel channel) {
                                channel.pipeline().addLast(new Echo());
                            }
                        }))) {
            try (var client =
                    new Socket(listener.address().host(), listener.address().port())) {
                client.setSoTimeout(20_000);

                assertThat(ask(client, "one")).isEqualTo("cone");
                direct = true;
                assertThat(ask(client, "two")).isEqualTo("dtwo");
                direct = false;
                assertThat(ask(client, "three")).isEqualTo("cthree");
            }
            assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }
}
