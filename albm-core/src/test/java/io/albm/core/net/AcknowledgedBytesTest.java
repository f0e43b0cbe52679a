// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a real socket whose other side takes what it wants. */
class AcknowledgedBytesTest {
    private static final int SMALL_BUFFER = 64 << 10;

    /** What the kernel takes at once, so that the channel has nothing left. */
    private static final int QUEUED = 1 << 20;

    private Transport transport;
    private ServerSocket listener;
    private Socket taker;
    private Channel channel;

    @BeforeEach
    void connect() throws IOException {
        assumeTrue(Epoll.isAvailable());
        transport = Transport.open(1);
        listener = new ServerSocket();
        listener.setReceiveBufferSize(SMALL_BUFFER);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        channel = transport
                .clientBootstrap()
                .handler(new ChannelInboundHandlerAdapter())
                .connect(listener.getLocalSocketAddress())
                .syncUninterruptibly()
                .channel();
        taker = listener.accept();
    }

    @AfterEach
    void disconnect() throws IOException {
        channel.close().syncUninterruptibly();
        taker.close();
        listener.close();
        transport.close();
    }

    private long acknowledged() {
        return channel.eventLoop()
                .submit(() -> AcknowledgedBytes.of(channel))
                .syncUninterruptibly()
                .getNow();
    }

    @Test
    void growWithEachBitThatTheOtherSideTakesOutOfTheKernelsQueue() throws IOException {
        channel.writeAndFlush(Unpooled.directBuffer(QUEUED).writeZero(QUEUED)).syncUninterruptibly();
        var before = new AtomicLong(-1);
        await().until(() -> before.get() == before.getAndSet(acknowledged()));
        assertThat(before.get()).isPositive().isLessThan(QUEUED);

        for (int taken = 0; taken < QUEUED / 2; taken += 4 * SMALL_BUFFER) {
            taker.getInputStream().skipNBytes(4 * SMALL_BUFFER);
            await().until(() -> acknowledged() > before.get());
            before.set(acknowledged());
        }
    }

    @Test
    void areNoneOnceTheConnectionIsGone() {
        channel.writeAndFlush(Unpooled.directBuffer(1).writeZero(1)).syncUninterruptibly();
        await().until(() -> acknowledged() > 0);
        channel.close().syncUninterruptibly();

        assertThat(acknowledged()).isZero();
    }

    @Test
    void areNoneWhereTheKernelDoesNotSay() {
        var other = new EmbeddedChannel();
        assertThat(AcknowledgedBytes.of(other)).isZero();
        other.close();
    }
}
