// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a real socket whose other side takes what it wants. */
class SendProgressTest {
    private static final int MUCH = 64 << 20;
    private static final int SMALL_BUFFER = 64 << 10;
    private static final int LITTLE = 4 * SMALL_BUFFER;

    private Transport transport;
    private ServerSocket listener;
    private Socket taker;
    private Channel channel;
    private SendProgress progress;

    @BeforeEach
    void connect() throws IOException {
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
        progress = new SendProgress(channel);
    }

    @AfterEach
    void disconnect() throws IOException {
        channel.close().syncUninterruptibly();
        taker.close();
        listener.close();
        transport.close();
    }

    private <T> T onLoop(Callable<T> question) {
        return channel.eventLoop().submit(question).syncUninterruptibly().getNow();
    }

    @Test
    void seesThatLessIsTakenThanMakesTheSocketWritable() throws IOException {
        assumeTrue(transport.isEpoll());
        channel.writeAndFlush(Unpooled.directBuffer(MUCH).writeZero(MUCH));
        onLoop(() -> {
            progress.watch();
            return progress.isDone();
        });
        await().until(() -> !onLoop(progress::isMoving));

        long written = onLoop(this::writtenBytes);

        taker.getInputStream().skipNBytes(LITTLE);

        await().until(() -> onLoop(progress::isMoving));
        assertThat(onLoop(this::writtenBytes)).as("bytes that left the channel").isEqualTo(written);
    }

    private long writtenBytes() {
        return channel.unsafe().outboundBuffer().currentProgress();
    }

    @Test
    void seesNothingMoveWhereNothingWaits() throws IOException {
        channel.writeAndFlush(Unpooled.directBuffer(LITTLE).writeZero(LITTLE)).syncUninterruptibly();
        onLoop(() -> {
            progress.watch();
            return progress.isDone();
        });

        taker.getInputStream().skipNBytes(LITTLE);

        assertThat(onLoop(progress::isMoving)).isFalse();
    }

    @Test
    void seesThatOneLargeBufferIsTakenBitByBit() throws IOException {
        channel.writeAndFlush(Unpooled.directBuffer(MUCH).writeZero(MUCH));
        onLoop(() -> {
            progress.watch();
            return progress.isDone();
        });
        AtomicLong taken = new AtomicLong();

        for (int step = 1; step <= 3; step++) {
            taker.getInputStream().skipNBytes(8 << 20);
            long before = taken.get();
            await().until(() -> taken.addAndGet(onLoop(progress::takenBytes)) > before);
        }

        assertThat(onLoop(progress::isDone)).isFalse();
        assertThat(taken.get()).isLessThan(MUCH);
    }
}
