// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import static io.albm.core.wire.WireFormat.CHECKSUM;
import static io.albm.core.wire.WireFormat.LENGTH_FIELD;
import static io.albm.core.wire.WireFormat.PRELUDE;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the byte stream of one connection into frames.
 *
 * <p>A frame that lies whole in a received buffer is sliced out of it, without a copy. A torn one is gathered in a direct
 * buffer of its own, most of it straight from the socket ({@link FrameRoom}). It grows with what has arrived: its capacity is
 * at most 64 KiB, four times the bytes received, or the largest frame that the connection has brought before, whichever is
 * most, and never beyond the frame's checked length. So a peer that announces 16 MiB and sends nothing costs 64 KiB, and a
 * peer that announces more than the bound costs nothing.
 *
 * <p>A {@link FrameGate} may refuse a frame by its header. Then a {@link RefusedFrame} is fired in its place, at once, and the
 * rest of it is dropped as it comes: it costs nothing either.
 *
 * <p>After the first bad byte there is no way to find the next frame: the decoder fires one {@link WireException} with
 * {@link #failedRequestId()} set as far as it is known, and swallows what follows until the connection is closed.
 */
final class FrameDecoder extends ChannelInboundHandlerAdapter {

    private static final int FIRST_CAPACITY = 64 * 1024;
    private static final int GROWTH = 4;

    private final FrameGate gate;
    private @Nullable ByteBuf torn;
    /** Whether the torn frame's head is whole and it was let in. */
    private boolean admitted;

    /** What is still to come of a frame that was refused, in bytes. */
    private int refused;

    private @Nullable ByteBuf room;
    private int largestFrame = FIRST_CAPACITY;
    private long arrivedBytes;
    private long failedRequestId;
    private boolean failed;

    FrameDecoder() {
        this(FrameGate.OPEN);
    }

    FrameDecoder(FrameGate gate) {
        this.gate = gate;
    }

    /** The request id of the frame that broke the stream, 0 if its prelude could not be trusted. */
    long failedRequestId() {
        return failedRequestId;
    }

    /** Bytes that have arrived on the connection. */
    long arrivedBytes() {
        return arrivedBytes;
    }

    /** Whether there is memory that waits for the rest of a frame. */
    boolean isTorn() {
        return torn != null;
    }

    /** How long the sender of the torn frame waits for an answer, in ms; 0 if there is none, or its head has not said so yet. */
    int tornDeadlineMillis() {
        return torn == null || torn.readableBytes() < PRELUDE ? 0 : torn.getInt(WireFormat.DEADLINE_AT);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        ctx.channel().config().setRecvByteBufAllocator(new FrameRoom(this::room));
    }

    /** The rest of the torn frame, as far as there is room for it. */
    private @Nullable ByteBuf room() {
        room = null;
        if (torn == null || !admitted) {
            return null;
        }
        int size = checkedSize(torn, 0);
        makeRoom(torn, size);
        int count = Math.min(size - torn.readableBytes(), torn.writableBytes());
        room = torn.retainedSlice(torn.writerIndex(), count).clear();
        return room;
    }

    @SuppressWarnings("ReferenceEquality") // what counts is whose memory it is, not what it holds
    private boolean isRoom(ByteBuf in) {
        return in == room;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        var in = (ByteBuf) message;
        arrivedBytes += in.readableBytes();
        try {
            if (torn != null && isRoom(in)) {
                torn.writerIndex(torn.writerIndex() + in.readableBytes());
                in.skipBytes(in.readableBytes());
                endIfWhole(ctx, torn, checkedSize(torn, 0));
            }
            while (in.isReadable() && !failed) {
                decode(ctx, in);
            }
        } catch (WireException e) {
            failed = true;
            dropTorn();
            ctx.fireExceptionCaught(e);
        } finally {
            in.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        dropTorn();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        dropTorn();
    }

    private void decode(ChannelHandlerContext ctx, ByteBuf in) {
        if (refused > 0) {
            drop(in);
            return;
        }
        if (torn != null) {
            gather(ctx, torn, in);
            return;
        }
        if (in.readableBytes() >= PRELUDE) {
            int size = checkedSize(in, in.readerIndex());
            if (in.readableBytes() >= size) {
                whole(ctx, in, size);
                return;
            }
        }
        torn = ctx.alloc().directBuffer(PRELUDE);
        gather(ctx, torn, in);
    }

    private void whole(ChannelHandlerContext ctx, ByteBuf in, int size) {
        if (admits(ctx, in, in.readerIndex())) {
            ctx.fireChannelRead(frame(in.readRetainedSlice(size)));
        } else {
            in.skipBytes(size);
        }
    }

    private void drop(ByteBuf in) {
        int count = Math.min(refused, in.readableBytes());
        in.skipBytes(count);
        refused -= count;
    }

    private void gather(ChannelHandlerContext ctx, ByteBuf frame, ByteBuf in) {
        if (!admitted && !gatherHead(ctx, frame, in)) {
            return;
        }
        int size = checkedSize(frame, 0);
        while (in.isReadable() && frame.readableBytes() < size) {
            makeRoom(frame, size);
            move(in, frame, Math.min(size - frame.readableBytes(), frame.writableBytes()));
        }
        endIfWhole(ctx, frame, size);
    }

    /** @return whether the head is whole, and the frame let in */
    private boolean gatherHead(ChannelHandlerContext ctx, ByteBuf frame, ByteBuf in) {
        if (!fill(frame, PRELUDE, in)) {
            return false;
        }
        int size = checkedSize(frame, 0);
        int head = PRELUDE + frame.getInt(WireFormat.HEADER_LENGTH_AT);
        if (!fill(frame, head, in)) {
            return false;
        }
        admitted = admits(ctx, frame, 0);
        if (!admitted) {
            refused = size - head;
            dropTorn();
        }
        return admitted;
    }

    /** @param at where the frame begins, whose head is there */
    private boolean admits(ChannelHandlerContext ctx, ByteBuf in, int at) {
        int header = in.getInt(at + WireFormat.HEADER_LENGTH_AT);
        int body = in.getInt(at + WireFormat.LENGTH_AT) - WireFormat.MIN_LENGTH - header;
        WireException reason =
                gate.refusal(in.getUnsignedByte(at + WireFormat.TYPE_AT), in.slice(at + PRELUDE, header), body);
        if (reason != null) {
            ctx.fireChannelRead(new RefusedFrame(failedRequestId, reason));
        }
        return reason == null;
    }

    private void endIfWhole(ChannelHandlerContext ctx, ByteBuf frame, int size) {
        int missing = size - frame.readableBytes();
        if (missing > 0) {
            gate.arriving(missing);
            return;
        }
        torn = null;
        admitted = false;
        largestFrame = Math.max(largestFrame, size);
        ctx.fireChannelRead(frame(frame));
    }

    /** Moves what a buffer lacks of so many bytes. @return whether it has them */
    private static boolean fill(ByteBuf to, int bytes, ByteBuf from) {
        if (to.capacity() < bytes) {
            to.capacity(bytes);
        }
        move(from, to, Math.max(0, bytes - to.readableBytes()));
        return to.readableBytes() >= bytes;
    }

    private static void move(ByteBuf from, ByteBuf to, int atMost) {
        to.writeBytes(from, Math.min(from.readableBytes(), atMost));
    }

    private void makeRoom(ByteBuf frame, int size) {
        if (!frame.isWritable()) {
            frame.capacity((int) Math.min(size, Math.max(largestFrame, (long) frame.capacity() * GROWTH)));
        }
    }

    /** The whole frame's size in bytes, once everything its prelude says is within the bounds. */
    private int checkedSize(ByteBuf in, int at) {
        if (in.getUnsignedShort(at + WireFormat.MAGIC_AT) != WireFormat.MAGIC) {
            throw new WireException(WireCode.MALFORMED, "these bytes are not ALBM frames");
        }
        failedRequestId = in.getLong(at + WireFormat.REQUEST_ID_AT);
        int version = in.getUnsignedByte(at + WireFormat.VERSION_AT);
        if (version != WireFormat.VERSION) {
            throw new WireException(
                    WireCode.UNSUPPORTED_VERSION,
                    "protocol version %d, this node speaks version %d".formatted(version, WireFormat.VERSION));
        }
        long length = in.getUnsignedInt(at + WireFormat.LENGTH_AT);
        long header = in.getUnsignedInt(at + WireFormat.HEADER_LENGTH_AT);
        checkLengths(header, length - WireFormat.MIN_LENGTH - header);
        if (in.getInt(at + WireFormat.DEADLINE_AT) < 0) {
            throw new WireException(WireCode.MALFORMED, "a deadline beyond 2^31 ms");
        }
        return (int) length + LENGTH_FIELD;
    }

    private static void checkLengths(long header, long body) {
        if (header > WireFormat.MAX_HEADER || body > WireFormat.MAX_BODY) {
            throw new WireException(
                    WireCode.TOO_LARGE,
                    "header of %d bytes and body of %d bytes, at most %d and %d are allowed"
                            .formatted(header, body, WireFormat.MAX_HEADER, WireFormat.MAX_BODY));
        }
        if (body < 0) {
            throw new WireException(
                    WireCode.MALFORMED, "header of %d bytes is longer than its frame".formatted(header));
        }
    }

    /** Takes over a buffer that holds exactly one frame, from its reader index on. */
    private static Frame frame(ByteBuf whole) {
        try {
            int at = whole.readerIndex();
            int end = whole.readableBytes() - CHECKSUM;
            int header = whole.getInt(at + WireFormat.HEADER_LENGTH_AT);
            int type = whole.getUnsignedByte(at + WireFormat.TYPE_AT);
            int checked = Frame.checksBody(type) ? end : PRELUDE + header;
            if (new Checksum().update(whole, at, checked).value() != whole.getInt(at + end)) {
                throw new WireException(
                        WireCode.GARBLED,
                        "the checksum of a frame of type %02x with %d bytes of header and %d in all does not match them"
                                .formatted(type, header, whole.readableBytes()));
            }
            return new Frame(
                    type,
                    whole.getLong(at + WireFormat.REQUEST_ID_AT),
                    whole.getInt(at + WireFormat.DEADLINE_AT),
                    whole.retainedSlice(at + PRELUDE, header),
                    whole.retainedSlice(at + PRELUDE + header, end - PRELUDE - header));
        } finally {
            whole.release();
        }
    }

    private void dropTorn() {
        if (torn != null) {
            torn.release();
            torn = null;
            admitted = false;
        }
    }
}
