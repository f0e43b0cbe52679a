// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SendPacingTest {
    private static final IntegerUnixChannelOption RATE = new IntegerUnixChannelOption("SO_MAX_PACING_RATE", 1, 47);
    private static final IntegerUnixChannelOption LEAST_TIMEOUT = new IntegerUnixChannelOption("TCP_RTO_MIN_US", 6, 45);
    private static final IntegerUnixChannelOption MOST_TIMEOUT = new IntegerUnixChannelOption("TCP_RTO_MAX_MS", 6, 44);

    private static final int LONG = 20 * SpacedStart.SEGMENT_BYTES;

    private final Transport transport = Transport.open(1);
    private ServerSocket server;

    @BeforeEach
    void listen() throws Exception {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws Exception {
        server.close();
        transport.close();
    }

    @Test
    void spacesWhatIsSent() throws Exception {
        assumeThat(transport.isEpoll()).isTrue();
        Channel channel = connect(transport);

        assertThat(pacedAt(channel, 3_000_000_000L)).isEqualTo(3_000_000_000L);
        assertThat(pacedAt(channel, 0)).as("any").isEqualTo(0xffff_ffffL);
        assertThat(pacedAt(channel, 1L << 33)).as("more than it takes").isEqualTo(0xffff_ffffL);
    }

    @Test
    void sendsAgainSoonerForAsLongAsThereIsARate() throws Exception {
        assumeThat(transport.isEpoll()).isTrue();
        Channel channel = connect(transport);
        assumeThat(knowsTimeouts(channel)).as("Linux 6.15 or newer").isTrue();
        int leastMicros = channel.config().getOption(LEAST_TIMEOUT);
        int mostMillis = channel.config().getOption(MOST_TIMEOUT);

        set(channel, 1_000_000);
        assertThat(channel.config().getOption(LEAST_TIMEOUT)).isEqualTo(20_000);
        assertThat(channel.config().getOption(MOST_TIMEOUT)).isEqualTo(1_000);
        set(channel, 2_000_000);
        set(channel, 0);
        assertThat(channel.config().getOption(LEAST_TIMEOUT)).isEqualTo(leastMicros);
        assertThat(channel.config().getOption(MOST_TIMEOUT)).isEqualTo(mostMillis);
    }

    @Test
    void spacesTheFirstSegmentsToo() throws Exception {
        assumeThat(transport.isEpoll()).isTrue();
        Channel channel = connect(transport);
        set(channel, 1);
        channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[LONG]));

        try (Socket taker = server.accept()) {
            assertThat(taker.getInputStream().readNBytes(SpacedStart.SEGMENT_BYTES))
                    .hasSize(SpacedStart.SEGMENT_BYTES);
            assertThat(segments(channel)).as("the next one is due in minutes").isOne();

            set(channel, 0);
            assertThat(taker.getInputStream().readNBytes(LONG - SpacedStart.SEGMENT_BYTES))
                    .hasSize(LONG - SpacedStart.SEGMENT_BYTES);
        }
    }

    @Test
    void leavesSegmentsToTheKernelOnceItSpacesThem() throws Exception {
        assumeThat(transport.isEpoll()).isTrue();
        Channel channel = connect(transport);
        try (Socket taker = server.accept()) {
            while (segments(channel) < SpacedStart.UNPACED_SEGMENTS) {
                channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[1])).sync();
                taker.getInputStream().skipNBytes(1);
            }
            set(channel, 1);

            assertThat(channel.pipeline().get(SpacedStart.class)).isNull();
        }
    }

    @Test
    void leavesAConnectionAloneThatHasEnded() throws Exception {
        Channel channel = connect(transport);
        channel.close().sync();

        set(channel, 1);
    }

    @Test
    void leavesAPortableConnectionAlone() throws Exception {
        try (Transport portable = Transport.openPortable(1)) {
            set(connect(portable), 1);
        }
    }

    private Channel connect(Transport from) throws Exception {
        return from.clientBootstrap()
                .handler(new ChannelInboundHandlerAdapter())
                .connect(server.getLocalSocketAddress())
                .sync()
                .channel();
    }

    private static long pacedAt(Channel channel, long bytesPerSecond) throws Exception {
        set(channel, bytesPerSecond);
        return Integer.toUnsignedLong(channel.config().getOption(RATE));
    }

    private static void set(Channel channel, long bytesPerSecond) throws Exception {
        channel.eventLoop()
                .submit(() -> SendPacing.set(channel, bytesPerSecond))
                .sync();
    }

    private static int segments(Channel channel) throws Exception {
        return channel.eventLoop()
                .submit(() -> TcpInfo.of(channel).dataSegments())
                .get();
    }

    private static boolean knowsTimeouts(Channel channel) {
        try {
            return channel.config().getOption(MOST_TIMEOUT) > 0;
        } catch (ChannelException e) {
            return false;
        }
    }
}
