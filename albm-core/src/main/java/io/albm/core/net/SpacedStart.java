// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.PendingWriteQueue;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Spaces the first segments of a connection, which the kernel does not: whatever its rate, TCP sends {@value #UNPACED_SEGMENTS} of them at once
 * ({@code tcp_update_skb_after_send} in net/ipv4/tcp_output.c; the fq qdisc does the same). Those of sixteen new connections are 77 ms of a port of
 * 25 Mbit/s, whose buffer of 64 KiB holds 21.
 *
 * <p>What is written goes on in pieces of a segment, or of what the rate carries in a millisecond if that is more, each when the one before has had its time.
 * After as many segments as the kernel does not space, this handler takes itself away. To be the one next to the socket; for one connection, on its loop.
 */
final class SpacedStart extends ChannelOutboundHandlerAdapter {
    /** With data in them, of a connection's whole life. */
    static final int UNPACED_SEGMENTS = 10;

    /** Payload of Ethernet's usual frame, with TCP's timestamps. */
    static final int SEGMENT_BYTES = 1448;

    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int MILLIS_IN_A_SECOND = 1000;

    private int left;
    private long bytesPerSecond;
    private boolean isPausing;
    private @Nullable PendingWriteQueue waiting;

    /**
     * @param segments that the kernel has yet to send before it spaces them, more than 0
     * @param bytesPerSecond more than 0
     */
    SpacedStart(int segments, long bytesPerSecond) {
        this.left = segments;
        this.bytesPerSecond = bytesPerSecond;
    }

    /** Another rate, from the next piece on; 0 for any: it ends. */
    void pace(long rate, ChannelHandlerContext ctx) {
        if (rate == 0) {
            end(ctx);
        } else {
            bytesPerSecond = rate;
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        waiting = new PendingWriteQueue(ctx);
    }

    /** The connection has ended, or nothing waits. */
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        waiting().removeAndFailAll(new ClosedChannelException());
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        waiting().add(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        if (!isPausing && waiting().isEmpty()) {
            ctx.flush();
        } else if (!isPausing) {
            send(ctx);
        }
    }

    /** Whoever hears that a write is done may write and flush there and then: that comes behind what waits, with the next piece. */
    private void send(ChannelHandlerContext ctx) {
        isPausing = true;
        int sent = piece(ctx, Math.clamp(bytesPerSecond / MILLIS_IN_A_SECOND, SEGMENT_BYTES, Integer.MAX_VALUE));
        left -= Math.ceilDiv(sent, SEGMENT_BYTES);
        ctx.flush();
        if (left <= 0) {
            end(ctx);
        } else if (sent > 0) {
            ctx.executor().schedule(() -> resume(ctx), (long) (sent * SECOND / bytesPerSecond), TimeUnit.NANOSECONDS);
        } else {
            resume(ctx);
        }
    }

    private void resume(ChannelHandlerContext ctx) {
        isPausing = false;
        if (!ctx.isRemoved()) {
            flush(ctx);
        }
    }

    /** Spaces nothing more. What waits goes first: a write that it has somebody make would come in the middle of a frame. */
    private void end(ChannelHandlerContext ctx) {
        isPausing = true;
        var _ = waiting().removeAndWriteAll();
        if (!ctx.isRemoved()) {
            ctx.pipeline().remove(this);
        }
        ctx.flush();
    }

    /** Ends with a message that is not bytes, such as a part of a file. @return bytes of the piece, at most so many */
    private int piece(ChannelHandlerContext ctx, int most) {
        int room = most;
        Object message = waiting().current();
        for (; room > 0 && message instanceof ByteBuf bytes; message = waiting().current()) {
            if (bytes.readableBytes() > room) {
                ctx.write(bytes.readRetainedSlice(room), ctx.voidPromise());
                return most;
            }
            room -= bytes.readableBytes();
            waiting().removeAndWrite();
        }
        if (message != null && !(message instanceof ByteBuf)) {
            left = 0;
        }
        return most - room;
    }

    private PendingWriteQueue waiting() {
        return Objects.requireNonNull(waiting, "handlerAdded");
    }
}
