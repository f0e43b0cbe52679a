// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.File;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SpacedStartTest {
    private static final int SEGMENT = SpacedStart.SEGMENT_BYTES;

    /** A segment takes ten milliseconds. */
    private static final long BYTES_PER_SECOND = 100 * SEGMENT;

    private final SpacedStart start = new SpacedStart(3, BYTES_PER_SECOND);
    private final EmbeddedChannel channel = new EmbeddedChannel(start);
    private byte next;
    private byte expected;

    @BeforeEach
    void freeze() {
        channel.freezeTime();
    }

    @Test
    void sendsASegmentAtATimeUntilTheKernelSpacesThem() {
        write(10 * SEGMENT);

        assertThat(sent()).isEqualTo(SEGMENT);
        pass(9);
        assertThat(sent()).isZero();
        pass(1);
        assertThat(sent()).isEqualTo(SEGMENT);
        pass(10);
        assertThat(sent()).as("all the rest").isEqualTo(8 * SEGMENT);
        assertThat(channel.pipeline().get(SpacedStart.class)).isNull();
    }

    @Test
    void putsSmallWritesIntoOneSegment() {
        write(100);
        ChannelFuture second = write(SEGMENT - 50);

        assertThat(sent()).isEqualTo(100);
        pass(1);
        assertThat(sent()).isEqualTo(SEGMENT - 50);
        assertThat(second.isSuccess()).isTrue();

        write(200, 300);
        pass(9);
        assertThat(sent()).isZero();
        pass(1);
        assertThat(sent()).as("both").isEqualTo(500);
    }

    @Test
    void tellsThatAWriteIsDoneWhenItsLastByteHasGone() {
        ChannelFuture write = write(2 * SEGMENT);

        assertThat(write.isDone()).isFalse();
        pass(10);
        assertThat(write.isSuccess()).isTrue();
    }

    @Test
    void sendsWhatTheRateCarriesInAMillisecondAtOnce() {
        pace(2_000L * SEGMENT);
        write(10 * SEGMENT);

        assertThat(sent()).isEqualTo(2 * SEGMENT);
        pass(1);
        assertThat(sent()).isEqualTo(8 * SEGMENT);
    }

    @Test
    void isOverBeforeAPartOfAFile() {
        ChannelFuture part = channel.write(new DefaultFileRegion(new File("unread"), 0, 1));
        channel.flush();

        assertThat(part.isSuccess()).isTrue();
        assertThat(channel.pipeline().get(SpacedStart.class)).isNull();
    }

    @Test
    void sendsWhatIsWrittenWhenAWriteOfNothingIsDone() {
        channel.write(bytes(0)).addListener(_ -> write(100));
        channel.flush();

        assertThat(sent()).isEqualTo(100);
    }

    /** What fills the channel flushes it, which completes earlier writes; whoever waits for one of these writes there and then. */
    @Test
    void keepsTheOrderOfWritesThatComeWhileItEnds() {
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelWritabilityChanged(ChannelHandlerContext ctx) {
                ctx.channel().flush();
            }
        });
        write(3 * SEGMENT);
        channel.write(bytes(1)).addListener(_ -> write(100));
        write(46 * SEGMENT, SEGMENT);
        pass(10);
        pass(10);

        assertThat(sent()).isEqualTo(50 * SEGMENT + 101);
    }

    @Test
    void sendsAllThatWaitsWhenThereIsNoRateAnyMore() {
        write(10 * SEGMENT);
        pace(0);

        assertThat(sent()).isEqualTo(10 * SEGMENT);
        pass(10);
    }

    @Test
    void failsWhatWaitsWhenTheConnectionEnds() {
        ByteBuf bytes = bytes(2 * SEGMENT);
        ChannelFuture write = channel.writeAndFlush(bytes);
        sent();
        channel.close();
        pass(10);

        assertThatThrownBy(write::sync).isInstanceOf(ClosedChannelException.class);
        assertThat(bytes.refCnt()).isZero();
    }

    private void pace(long bytesPerSecond) {
        start.pace(bytesPerSecond, channel.pipeline().context(start));
    }

    private ChannelFuture write(int... sizes) {
        ChannelFuture last = channel.newSucceededFuture();
        for (int size : sizes) {
            last = channel.write(bytes(size));
        }
        channel.flush();
        return last;
    }

    private ByteBuf bytes(int size) {
        ByteBuf bytes = Unpooled.buffer(size);
        for (int i = 0; i < size; i++) {
            bytes.writeByte(next++);
        }
        return bytes;
    }

    /** Takes what has gone, and looks that it is what was written, in its order. */
    private int sent() {
        int count = 0;
        for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
            count += bytes.readableBytes();
            while (bytes.isReadable()) {
                assertThat(bytes.readByte()).isEqualTo(expected++);
            }
            bytes.release();
        }
        return count;
    }

    private void pass(int millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }
}
