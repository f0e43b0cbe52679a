// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.wire.Frame;
import io.albm.core.wire.Reply;
import io.albm.core.wire.WireBuffers;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/**
 * The frames between a leader and the tails of other nodes: numbers in the header, entries of the log as lines in the body.
 * {@code docs/wire-storage.md} describes them. Frames stay the caller's; what is not as described fails with
 * {@link WireException}.
 */
final class TailFrames {
    /** A {@link TailAppend}. */
    static final int APPEND = 0x1a;

    /** Asks for a {@link Tail}. */
    static final int COLLECT = 0x1b;

    /** {@link Held}. */
    static final int HELD = 0x2a;

    /** A {@link Tail}. */
    static final int TAIL = 0x2b;

    private TailFrames() {}

    static ByteBuf header(long... numbers) {
        ByteBuf header = Unpooled.buffer(numbers.length * Long.BYTES);
        for (long number : numbers) {
            header.writeLong(number);
        }
        return header;
    }

    static ByteBuf header(TailAppend append) {
        return header(append.epoch(), append.durable(), append.first());
    }

    static ByteBuf body(List<byte[]> entries) {
        ByteBuf body = Unpooled.buffer(
                entries.stream().mapToInt(entry -> entry.length + 1).sum());
        entries.forEach(entry -> body.writeBytes(entry).writeByte('\n'));
        return body;
    }

    static TailAppend append(Frame frame) {
        long epoch = number(frame, APPEND);
        long durable = number(frame, APPEND);
        long first = number(frame, APPEND);
        return new TailAppend(epoch, durable, first, entries(frame));
    }

    static long collect(Frame frame) {
        long epoch = number(frame, COLLECT);
        WireBuffers.requireEnd(frame.header());
        return epoch;
    }

    static Held held(Frame frame) {
        long promised = number(frame, HELD);
        long last = number(frame, HELD);
        WireBuffers.requireEnd(frame.header());
        return new Held(promised, last);
    }

    static Tail tail(Frame frame) {
        long epoch = number(frame, TAIL);
        long first = number(frame, TAIL);
        return new Tail(epoch, first, entries(frame));
    }

    static Reply reply(Held held) {
        return Reply.of(HELD, header(held.promised(), held.last()));
    }

    static Reply reply(Tail tail) {
        return Reply.of(TAIL, header(tail.epoch(), tail.first()), body(tail.entries()));
    }

    private static long number(Frame frame, int type) {
        if (frame.type() != type) {
            throw WireException.unknownType(frame);
        }
        return WireBuffers.getLong(frame.header(), 0, Long.MAX_VALUE);
    }

    private static List<byte[]> entries(Frame frame) {
        WireBuffers.requireEnd(frame.header());
        ByteBuf body = frame.body().duplicate();
        List<byte[]> entries = new ArrayList<>();
        while (body.isReadable()) {
            int length = body.bytesBefore((byte) '\n');
            if (length < 0) {
                throw new WireException(WireCode.MALFORMED, "the last line of the log's entries has no end");
            }
            byte[] entry = new byte[length];
            body.readBytes(entry).skipBytes(1);
            entries.add(entry);
        }
        return entries;
    }
}
