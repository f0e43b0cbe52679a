// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.http.Exchange;
import io.albm.cache.http.RequestBody;
import io.albm.core.http.Chunks;
import io.albm.core.http.Framing;
import io.albm.core.http.HeadWriter;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request, and its body as the client sends it: no faster than the origin takes it. Confined to its event loop.
 */
final class RequestSender implements RequestBody {

    private final UpstreamConnection connection;
    private final @Nullable Exchange client;
    private @Nullable Chunks chunks;
    private boolean stopped;

    /** @param client where the body comes from; null if there is none */
    RequestSender(UpstreamConnection connection, @Nullable Exchange client) {
        this.connection = connection;
        this.client = client;
    }

    void send(CacheRequest request, FieldList fields) {
        HeadWriter head = new HeadWriter();
        OutgoingRequest.write(head, connection.origin(), request, fields);
        Exchange from = client;
        if (from != null) {
            frame(head, from);
        } else if (request.fields().has("Content-Length")) {
            ReplyLines.length(head, 0);
        }
        connection.send(head.crlf().toBuffer(connection.allocator(), 0));
        if (from == null) {
            connection.sent();
        } else {
            from.readBody(this);
        }
    }

    private void frame(HeadWriter head, Exchange from) {
        if (from.head().framing() == Framing.CHUNKED) {
            chunks = new Chunks();
            head.put("Transfer-Encoding: chunked\r\n");
        } else {
            ReplyLines.length(head, from.head().contentLength());
        }
    }

    @Override
    public void bytes(ByteBuf bytes) {
        if (stopped) {
            bytes.release();
            return;
        }
        Chunks framing = chunks;
        if (framing != null) {
            connection.send(framing.line(bytes.readableBytes(), connection.allocator()));
        }
        connection.send(bytes);
        Exchange from = client;
        if (from != null && !stopped && !connection.isWritable()) { // Sending may have ended it.
            from.wantBody(false);
            connection.awaitWritable();
        }
    }

    /** The connection takes more. */
    void writable() {
        Exchange from = client;
        if (from != null && !stopped) {
            from.wantBody(true);
        }
    }

    @Override
    public void end() {
        if (stopped) {
            return;
        }
        Chunks framing = chunks;
        if (framing != null) {
            connection.send(framing.last());
        }
        connection.sent();
    }

    /** Nothing more is sent: the response is over, or failed. */
    void stop() {
        stopped = true;
    }
}
