// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.json.Json;
import io.albm.core.json.JsonException;
import io.albm.core.wire.Frame;
import io.albm.core.wire.Reply;
import io.albm.core.wire.WireBuffers;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table's frames: no header, and a body in JSON. {@code docs/wire-storage.md} describes them. */
public final class TableFrames {
    /** A {@link TableCall}. */
    public static final int CALL = 0x17;

    /** A {@link TableReply}. */
    public static final int REPLY = 0x25;

    /** Longer than the longest change that the log takes, and far shorter than a frame may be. */
    static final int MAX_CALL_BYTES = 1 << 20;

    private TableFrames() {}

    static ByteBuf body(TableCall call) {
        return Unpooled.wrappedBuffer(Json.bytes(call));
    }

    /**
     * Reads a call from a frame, which stays the caller's.
     *
     * @throws WireException if it is none
     */
    public static TableCall call(Frame frame) {
        if (frame.body().readableBytes() > MAX_CALL_BYTES) {
            throw new WireException(
                    WireCode.TOO_LARGE,
                    "a call of " + frame.body().readableBytes() + " bytes; at most " + MAX_CALL_BYTES + " are taken");
        }
        return read(frame, CALL, TableCall.class);
    }

    public static Reply reply(TableReply reply) {
        return Reply.of(REPLY, Unpooled.EMPTY_BUFFER, Unpooled.wrappedBuffer(Json.bytes(reply)));
    }

    /**
     * Reads a reply from a frame, which stays the caller's.
     *
     * @throws WireException if it is none
     */
    static TableReply reply(Frame frame) {
        return read(frame, REPLY, TableReply.class);
    }

    private static <T> T read(Frame frame, int type, Class<T> as) {
        if (frame.type() != type) {
            throw WireException.unknownType(frame);
        }
        WireBuffers.requireEnd(frame.header());
        try {
            return Optional.ofNullable(Json.read(ByteBufUtil.getBytes(frame.body()), as))
                    .orElseThrow(() -> malformed("null"));
        } catch (JsonException e) {
            throw malformed(e.getMessage());
        }
    }

    private static WireException malformed(@Nullable String what) {
        return new WireException(WireCode.MALFORMED, "the body of the table's frame is " + what);
    }
}
