// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.http.ByteRange;
import io.albm.cache.http.Exchange;
import io.albm.core.http.Framing;
import io.albm.core.http.HeadWriter;
import io.albm.core.http.ResponseHead;
import java.time.Instant;

/** Begins replies whose body comes from the origin. */
final class ForwardedReply {

    private ForwardedReply() {}

    /**
     * Sends the head of a response that came in.
     *
     * @param cacheStatus how it came about, see {@link CacheStatus}
     */
    static void begin(
            Exchange client, CacheRequest request, ResponseHead head, Reply reply, String cacheStatus, Instant now) {
        HeadWriter to = client.newHead();
        ReplyLines.status(to, reply.status(), reply.reason());
        ReplyLines.stored(to, reply.with(StoredHead.dated(HopFields.removed(reply.fields()), now)));
        ReplyLines.line(to, CacheStatus.NAME, cacheStatus);
        client.begin(reply.status(), framing(to, request, head, reply));
    }

    /**
     * Sends the head for a part of a response that came in.
     *
     * @param total length of the whole
     */
    static void beginPart(
            Exchange client, ByteRange.Part part, long total, Reply reply, String cacheStatus, Instant now) {
        HeadWriter to = client.newHead();
        ReplyLines.status(to, Statuses.PARTIAL_CONTENT, "Partial Content");
        ReplyLines.part(to, reply.with(StoredHead.dated(HopFields.removed(reply.fields()), now)));
        ReplyLines.line(to, CacheStatus.NAME, cacheStatus);
        ReplyLines.range(to, part, total);
        client.begin(Statuses.PARTIAL_CONTENT, Framing.LENGTH);
    }

    /** Writes how long the body is, and says how it will be framed. */
    private static Framing framing(HeadWriter to, CacheRequest request, ResponseHead head, Reply reply) {
        if (request.isHead()) {
            reply.fields().all("Content-Length").forEach(length -> ReplyLines.line(to, "Content-Length", length));
            return Framing.NONE;
        }
        return switch (head.framing()) {
            case LENGTH -> {
                ReplyLines.length(to, head.contentLength());
                yield Framing.LENGTH;
            }
            case CHUNKED, UNTIL_CLOSE -> Framing.CHUNKED;
            case NONE -> {
                if (reply.status() != Statuses.NO_CONTENT && reply.status() != Statuses.NOT_MODIFIED) {
                    ReplyLines.length(to, 0);
                }
                yield Framing.NONE;
            }
        };
    }
}
