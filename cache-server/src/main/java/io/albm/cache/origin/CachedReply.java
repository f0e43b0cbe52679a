// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.http.ByteRange;
import io.albm.cache.http.Exchange;
import io.albm.core.http.Framing;
import io.albm.core.http.HeadWriter;
import io.netty.buffer.Unpooled;
import java.time.Instant;

/** Sends stored responses. */
final class CachedReply {

    private CachedReply() {}

    /**
     * Answers with what the request asks of a stored response.
     *
     * @param response a reference, which this takes over and releases once, also if it throws
     * @param cacheStatus how it came about, see {@link CacheStatus}
     */
    static void send(
            Exchange exchange, CacheRequest request, CachedResponse response, String cacheStatus, Instant now) {
        try {
            present(exchange, request, response, cacheStatus, now);
        } finally {
            response.release();
        }
    }

    private static void present(
            Exchange exchange, CacheRequest request, CachedResponse response, String cacheStatus, Instant now) {
        StoredHead head = response.head();
        int bytes = response.bodyBytes();
        HeadWriter to = exchange.newHead();
        switch (Presented.of(request, head, bytes, now)) {
            case Presented.Whole whole -> {
                ReplyLines.status(to, head.reply().status(), head.reply().reason());
                response.writeLines(to);
                moment(to, head, cacheStatus, now);
                body(exchange, to, response);
            }
            case Presented.Part(ByteRange.Part part) -> {
                ReplyLines.status(to, Statuses.PARTIAL_CONTENT, "Partial Content");
                ReplyLines.part(to, head.reply());
                moment(to, head, cacheStatus, now);
                ReplyLines.range(to, part, bytes);
                share(exchange, Statuses.PARTIAL_CONTENT, response, (int) part.first(), (int) part.bytes());
            }
            case Presented.NotModified same -> {
                notModified(to, head, cacheStatus, now);
                withoutBody(exchange, Statuses.NOT_MODIFIED);
            }
            case Presented.Unsatisfiable none -> unsatisfiable(exchange, bytes, cacheStatus);
        }
    }

    static void unsatisfiable(Exchange exchange, long total, String cacheStatus) {
        HeadWriter to = exchange.newHead();
        ReplyLines.status(to, Statuses.RANGE_NOT_SATISFIABLE, "Range Not Satisfiable");
        to.put(exchange.dateLine());
        ReplyLines.line(to, "Content-Range", "bytes */" + total);
        ReplyLines.line(to, CacheStatus.NAME, cacheStatus);
        ReplyLines.length(to, 0);
        exchange.reply(Statuses.RANGE_NOT_SATISFIABLE, Unpooled.EMPTY_BUFFER);
    }

    static void notModified(HeadWriter to, StoredHead head, String cacheStatus, Instant now) {
        ReplyLines.status(to, Statuses.NOT_MODIFIED, "Not Modified");
        ReplyLines.notModified(to, head.reply());
        moment(to, head, cacheStatus, now);
    }

    static void withoutBody(Exchange exchange, int status) {
        exchange.begin(status, Framing.NONE);
        exchange.end();
    }

    private static void moment(HeadWriter to, StoredHead head, String cacheStatus, Instant now) {
        to.put("Age: ").put(head.freshness().age(now).toSeconds()).crlf();
        ReplyLines.line(to, CacheStatus.NAME, cacheStatus);
    }

    private static void body(Exchange exchange, HeadWriter to, CachedResponse response) {
        int status = response.head().reply().status();
        if (status == Statuses.NO_CONTENT) {
            withoutBody(exchange, status);
        } else {
            ReplyLines.length(to, response.bodyBytes());
            share(exchange, status, response, 0, response.bodyBytes());
        }
    }

    private static void share(Exchange exchange, int status, CachedResponse response, int from, int length) {
        exchange.replyShared(
                status,
                response.memory(),
                response.bodyStart() + from,
                length,
                response.document().retain());
    }
}
