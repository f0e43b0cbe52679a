// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.control;

import io.albm.checkpoint.protocol.Answer;
import io.albm.checkpoint.protocol.Command;
import io.albm.core.json.Json;
import io.albm.core.json.JsonException;
import io.albm.core.wire.WireBuffers;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/**
 * Checkpoint control in frames, see docs/wire.md: the header names the job, the body is the message in JSON. A few
 * messages a second for each job: text that a person can read is worth more than the bytes it costs.
 */
final class ControlFrames {
    /** Header: job. Body: {@link Command}. */
    static final int COMMAND = 0x30;

    /** Body: {@link Answer}. */
    static final int ANSWER = 0x31;

    private ControlFrames() {}

    static ByteBuf header(String job) {
        ByteBuf header = Unpooled.buffer();
        WireBuffers.putString(header, job);
        return header;
    }

    static ByteBuf body(Object message) {
        return Unpooled.wrappedBuffer(Json.bytes(message));
    }

    static <T> T read(ByteBuf body, Class<T> type) {
        try {
            return Json.read(ByteBufUtil.getBytes(body), type);
        } catch (JsonException e) {
            throw new WireException(WireCode.MALFORMED, String.valueOf(e.getMessage()));
        }
    }
}
