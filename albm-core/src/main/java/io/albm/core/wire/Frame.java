// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.buffer.ByteBuf;
import io.netty.util.ReferenceCounted;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One message between two nodes. It owns one reference of each of its two buffers; {@link #release()} gives both back.
 *
 * @param type what it asks or answers, 0x00..0xff (docs/wire.md lists them)
 * @param requestId pairs an answer with its request; 0 when an error answers no request in particular
 * @param deadlineMillis how long the sender will wait from when it sent this; 0 means no deadline
 * @param header the fields of the message, at most 64 KiB
 * @param body bulk bytes, at most 16 MiB, never copied through the heap
 */
public record Frame(int type, long requestId, int deadlineMillis, ByteBuf header, ByteBuf body)
        implements ReferenceCounted {

    /** The type of a frame that says why a request failed. */
    public static final int ERROR = 0x00;

    /** Asks whether the other side is alive; every server answers by itself. */
    public static final int PING = 0x01;

    /** Answers a {@link #PING}. */
    public static final int PONG = 0x02;

    /** Bounds of the format, for those who split bulk data into frames. */
    public static final int MAX_HEADER_BYTES = WireFormat.MAX_HEADER;

    public static final int MAX_BODY_BYTES = WireFormat.MAX_BODY;

    public Frame {
        if (type < 0 || type > WireFormat.MAX_TYPE) {
            throw new IllegalArgumentException("frame type %d, expected 0..255".formatted(type));
        }
        if (deadlineMillis < 0) {
            throw new IllegalArgumentException("deadline of %d ms, expected 0 or more".formatted(deadlineMillis));
        }
        checkLengths(header.readableBytes(), body.readableBytes());
    }

    static void checkLengths(long headerBytes, long bodyBytes) {
        if (headerBytes > MAX_HEADER_BYTES || bodyBytes > MAX_BODY_BYTES) {
            throw new IllegalArgumentException("header of %d bytes and body of %d bytes, expected at most %d and %d"
                    .formatted(headerBytes, bodyBytes, MAX_HEADER_BYTES, MAX_BODY_BYTES));
        }
    }

    /**
     * Whether the frame's own checksum is over the body, too. It is not from type 0x80 on: the header of those brings checksums
     * of the body, which whoever uses it compares.
     */
    public static boolean checksBody(int type) {
        return type < WireFormat.BODY_UNCHECKED_FROM;
    }

    /** The deadline as a duration; {@link Duration#ZERO} means none. */
    public Duration deadline() {
        return Duration.ofMillis(deadlineMillis);
    }

    @Override
    public int refCnt() {
        return Math.min(header.refCnt(), body.refCnt());
    }

    @Override
    public Frame retain() {
        return retain(1);
    }

    @Override
    public Frame retain(int increment) {
        header.retain(increment);
        body.retain(increment);
        return this;
    }

    @Override
    public Frame touch() {
        return touch(null);
    }

    @Override
    public Frame touch(@Nullable Object hint) {
        header.touch(hint);
        body.touch(hint);
        return this;
    }

    @Override
    public boolean release() {
        return release(1);
    }

    @Override
    public boolean release(int decrement) {
        boolean headerGone = header.release(decrement);
        return body.release(decrement) && headerGone;
    }
}
