// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCounted;
import java.util.ArrayDeque;

/**
 * Writes a frame as its prelude and header, its body untouched, and its checksum: the socket gathers the pieces, so that
 * a body goes from the buffer or the file it was in straight to the kernel. For one connection.
 *
 * <p>A piece that fills the connection's buffer makes it flush, which completes earlier writes; whoever waited for one of
 * those may write there and then. That write comes behind the frame whose pieces are being written, and leaves with its
 * flush. There are no more of these than the connection may have calls under way.
 */
final class FrameEncoder extends ChannelOutboundHandlerAdapter {

    /** A write that came while pieces were written. */
    private record Next(Object message, ChannelPromise promise) {}

    private final ArrayDeque<Next> nexts = new ArrayDeque<>(0);
    private boolean writing;

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (writing) {
            nexts.add(new Next(message, promise));
            return;
        }
        writing = true;
        try {
            encode(ctx, message, promise);
            for (Next next = nexts.poll(); next != null; next = nexts.poll()) {
                encode(ctx, next.message(), next.promise());
            }
        } finally {
            writing = false;
        }
    }

    private static void encode(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        switch (message) {
            case Frame frame -> {
                var head = head(
                        ctx,
                        frame.type(),
                        frame.requestId(),
                        frame.deadlineMillis(),
                        frame.header(),
                        frame.body().readableBytes());
                write(ctx, frame.type(), head, frame.body(), frame.body().readableBytes(), promise);
            }
            case Answer answer -> {
                var reply = answer.reply();
                var head = head(ctx, reply.type(), answer.requestId(), 0, reply.header(), reply.bodyBytes());
                write(ctx, reply.type(), head, reply.body(), reply.bodyBytes(), promise);
            }
            default -> ctx.write(message, promise);
        }
    }

    private static void write(
            ChannelHandlerContext ctx,
            int type,
            ByteBuf head,
            ReferenceCounted body,
            int bytes,
            ChannelPromise promise) {
        var checksum = new Checksum().update(head);
        if (body instanceof ByteBuf buffer && Frame.checksBody(type)) {
            checksum.update(buffer);
        }
        if (bytes > 0) {
            ctx.write(head, ctx.voidPromise());
            ctx.write(body, ctx.voidPromise());
            ctx.write(ctx.alloc().buffer(WireFormat.CHECKSUM).writeInt(checksum.value()), promise);
        } else {
            body.release();
            ctx.write(head.writeInt(checksum.value()), promise);
        }
    }

    /** Prelude and header. Takes over the header. */
    private static ByteBuf head(
            ChannelHandlerContext ctx, int type, long requestId, int deadlineMillis, ByteBuf header, int bodyBytes) {
        int headerBytes = header.readableBytes();
        var head = ctx.alloc()
                .buffer(WireFormat.PRELUDE + headerBytes + WireFormat.CHECKSUM)
                .writeInt(WireFormat.MIN_LENGTH + headerBytes + bodyBytes)
                .writeShort(WireFormat.MAGIC)
                .writeByte(WireFormat.VERSION)
                .writeByte(type)
                .writeLong(requestId)
                .writeInt(deadlineMillis)
                .writeInt(headerBytes)
                .writeBytes(header);
        header.release();
        return head;
    }
}
