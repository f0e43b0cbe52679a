// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.BodyReader;
import io.albm.core.http.Field;
import io.albm.core.http.Refusal;
import io.albm.core.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The body of a connection's latest request: read when a handler asks for it, no faster than that takes it; thrown away, up
 * to {@value #MOST_DISCARDED_BYTES} bytes, when the request was answered without it. Used again for each request. Confined to
 * its event loop.
 */
final class IncomingBody implements BodyReader.Sink {
    static final int MOST_DISCARDED_BYTES = 64 << 10;

    private final Connection connection;
    private final BodyReader reader = new BodyReader();
    private @Nullable RequestBody to;
    private boolean wanted;
    private boolean awaitsContinue;
    private long bytes;

    IncomingBody(Connection connection) {
        this.connection = connection;
    }

    void begin(RequestHead head) {
        reader.begin(head.framing(), head.contentLength(), true);
        to = null;
        wanted = false;
        bytes = 0;
        awaitsContinue = reader.isOpen() && head.has(Field.EXPECT);
    }

    /** Whether more of it has to come. */
    boolean isOpen() {
        return reader.isOpen();
    }

    /** Whether it is the client's turn to send more of it. */
    boolean isAwaited() {
        return reader.isOpen() && wanted;
    }

    /** How many bytes of it have come. */
    long bytes() {
        return bytes;
    }

    /** Passes on what belongs to it; returns what follows it. */
    @Nullable
    ByteBuf read(ByteBuf in, ByteBufAllocator allocator) {
        return reader.read(in, allocator, this);
    }

    /**
     * Names who gets it.
     *
     * @return whether the client has to be told to send it
     */
    boolean give(RequestBody receiver) {
        to = receiver;
        wanted = true;
        boolean told = awaitsContinue;
        awaitsContinue = false;
        return told;
    }

    void want(boolean more) {
        wanted = more;
    }

    /** Throws away the rest. */
    void discard() {
        to = null;
        wanted = true;
    }

    /** Whether the rest is so small, and so sure to come, that it can be thrown away. */
    boolean isDiscardable() {
        return !reader.isOpen() || (!awaitsContinue && reader.knownRest() <= MOST_DISCARDED_BYTES);
    }

    /** Nothing more comes of it. */
    void abandon() {
        reader.abandon();
    }

    @Override
    public void bodyBytes(ByteBuf piece) {
        bytes += piece.readableBytes();
        if (to != null) {
            to.bytes(piece);
            return;
        }
        piece.release();
        if (bytes > MOST_DISCARDED_BYTES) {
            connection.end(true);
        }
    }

    @Override
    public void bodyEnd(boolean nothingFollows) {
        RequestBody receiver = to;
        to = null;
        if (receiver != null) {
            receiver.end();
        }
    }

    @Override
    public void bodyMalformed(String reason) {
        connection.fail(Refusal.badRequest("request body: " + reason));
    }
}
