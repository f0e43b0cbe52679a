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
public final class ControlFrames {
    /** Header: job. Body: {@link Command}. */
    static final int COMMAND = 0x30;

    /** Body: {@link Answer}. */
    static final int ANSWER = 0x31;

    /** Header: job. Body: what a supervisor wants of a job-host. */
    public static final int HOST_COMMAND = 0x32;

    /** Body: what a job-host says to it. */
    public static final int HOST_ANSWER = 0x33;

    /** Header: job. Body: which bytes of a copy another job-host wants. */
    public static final int COPY_READ = 0x34;

    /** Body: these bytes, fewer only at the copy's end. */
    public static final int COPY_BYTES = 0x35;

    private ControlFrames() {}

    /** Names the job; {@link #job} reads it. */
    public static ByteBuf header(String job) {
        ByteBuf header = Unpooled.buffer();
        WireBuffers.putString(header, job);
        return header;
    }

    /** The job that a header names. */
    public static String job(ByteBuf header) {
        return WireBuffers.getString(header);
    }

    /** The message as JSON. */
    public static ByteBuf body(Object message) {
        return Unpooled.wrappedBuffer(Json.bytes(message));
    }

    /**
     * Reads a message.
     *
     * @throws WireException if it is no JSON of that type
     */
    public static <T> T read(ByteBuf body, Class<T> type) {
        try {
            return Json.read(ByteBufUtil.getBytes(body), type);
        } catch (JsonException e) {
            throw new WireException(WireCode.MALFORMED, String.valueOf(e.getMessage()));
        }
    }
}
