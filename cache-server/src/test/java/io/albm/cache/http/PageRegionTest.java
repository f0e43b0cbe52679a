// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.net.Listener;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class PageRegionTest {
    private static final int BYTES = 24 << 20;
    private static final int UNALIGNED = 200;
    private static final int BOUND_SECONDS = 20;

    private final byte[] content = new byte[BYTES];

    /** Sends all of its memory but the first bytes to whoever connects, and closes. */
    @Sharable
    private static final class Sender extends ChannelInboundHandlerAdapter {
        private final PagePipe pipe = new PagePipe();
        private final ByteBuf memory;
        private final CountDownLatch sent = new CountDownLatch(2);

        private Sender(ByteBuf memory) {
            this.memory = memory;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            PageRegion region = new PageRegion(
                    pipe,
                    ((UnixChannel) ctx.channel()).fd(),
                    memory.memoryAddress() + UNALIGNED,
                    BYTES - UNALIGNED,
                    memory.retain());
            ctx.writeAndFlush(region).addListener(_ -> sent.countDown()).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private static Socket connect(Listener listener) throws IOException {
        Socket socket = new Socket(listener.address().host(), listener.address().port());
        socket.setSoTimeout(BOUND_SECONDS * 1000);
        return socket;
    }

    @Test
    void sendsEveryByteToClientsOfOneLoopThatTakeThemBitByBit() throws Exception {
        new SplittableRandom(1).nextBytes(content);
        ByteBuf memory = Unpooled.directBuffer(BYTES, BYTES).writeBytes(content);
        Sender sender = new Sender(memory);
        try (Transport transport = Transport.open(1);
                Listener listener = Listener.open(
                        transport, new NodeAddress("127.0.0.1", 0), servers -> servers.childHandler(sender));
                Socket one = connect(listener);
                Socket other = connect(listener)) {
            int taken = UNALIGNED;
            while (taken < BYTES) {
                int next = Math.min(300_000, BYTES - taken);
                assertThat(one.getInputStream().readNBytes(next)).isEqualTo(part(taken, next));
                assertThat(other.getInputStream().readNBytes(next)).isEqualTo(part(taken, next));
                taken += next;
            }

            assertThat(one.getInputStream().read()).isEqualTo(-1);
            assertThat(other.getInputStream().read()).isEqualTo(-1);
            assertThat(sender.sent.await(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
        sender.pipe.close();
        assertThat(memory.refCnt()).isEqualTo(1);
        memory.release();
    }

    private byte[] part(int from, int length) {
        return Arrays.copyOfRange(content, from, from + length);
    }
}
