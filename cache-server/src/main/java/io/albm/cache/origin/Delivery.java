// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.http.ByteRange;
import io.albm.cache.http.Exchange;
import io.albm.cache.store.Document;
import io.albm.core.http.HeadWriter;
import io.albm.core.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the client that asked is sent of the origin's response, as it comes in. Nothing, if nobody asked or the client is
 * gone. Confined to the client's event loop.
 */
final class Delivery {

    private static final int EARLY_HINTS = 103;
    private static final ByteRange.Part EVERYTHING = new ByteRange.Part(0, Long.MAX_VALUE - 1);

    private final CacheRequest request;
    private @Nullable Exchange client;
    private boolean begun;
    private boolean answered;
    private boolean heldBack;
    private ByteRange.Part part = EVERYTHING;
    private long position;

    /** @param client who is answered; null if nobody is */
    Delivery(CacheRequest request, @Nullable Exchange client) {
        this.request = request;
        this.client = client;
    }

    /** Runs {@code action} if the client goes away before it has its answer. */
    void onGone(Runnable action) {
        Exchange asking = client;
        if (asking != null) {
            asking.onGone(() -> {
                client = null;
                action.run();
            });
        }
    }

    /** Whether somebody waits for what is still to come. */
    boolean isWaitedFor() {
        return client != null;
    }

    /** Where the request's body comes from; null if it has none. */
    @Nullable
    Exchange bodySource() {
        return request.hasBody() ? client : null;
    }

    void interim(ResponseHead head) {
        Exchange asking = client;
        if (asking != null && head.status() == EARLY_HINTS) {
            HeadWriter to = asking.newHead();
            ReplyLines.status(to, EARLY_HINTS, "Early Hints");
            FieldLines.write(to, HopFields.removed(new HeadFields(head)).without("Content-Length"::equalsIgnoreCase));
            asking.interim();
        }
    }

    /**
     * Answers with a stored response instead.
     *
     * @return whether somebody was answered
     */
    boolean answer(CachedResponse stored, String cacheStatus, Instant now) {
        Exchange asking = take();
        if (asking == null) {
            return false;
        }
        CachedReply.send(asking, request, stored.retained(), cacheStatus, now);
        return true;
    }

    /** Says that the client's copy is as good as the response that comes in. */
    void notModified(StoredHead head, String cacheStatus, Instant now) {
        Exchange asking = take();
        if (asking != null) {
            CachedReply.notModified(asking.newHead(), head, cacheStatus, now);
            CachedReply.withoutBody(asking, Statuses.NOT_MODIFIED);
        }
    }

    /** Begins to pass the response on. */
    void begin(ResponseHead head, Reply reply, String cacheStatus, Instant now) {
        begun = true;
        Exchange asking = client;
        if (asking != null) {
            ForwardedReply.begin(asking, request, head, reply, cacheStatus, now);
        }
    }

    /** Begins to pass on a part of the response, which is kept as it comes in. */
    void beginPart(ByteRange.Part wanted, long total, Reply reply, String cacheStatus, Instant now) {
        begun = true;
        part = wanted;
        Exchange asking = client;
        if (asking != null) {
            ForwardedReply.beginPart(asking, wanted, total, reply, cacheStatus, now);
        }
    }

    /** Says that the response has no byte of what was asked for. */
    void unsatisfiable(long total, String cacheStatus) {
        Exchange asking = take();
        if (asking != null) {
            CachedReply.unsatisfiable(asking, total, cacheStatus);
        }
    }

    /** Has the origin asked for what the client wants, and nothing else. */
    void askAgain(OriginHandler handler) {
        Exchange asking = take();
        if (asking != null) {
            handler.pass(asking, request);
        }
    }

    /**
     * Passes bytes of the body on.
     *
     * @param bytes taken over
     * @param kept at whose end the same bytes were just put, to be sent from there at the client's pace; null if they are
     *     nowhere else, so that {@code from} waits while the client cannot take more
     */
    void bytes(ByteBuf bytes, @Nullable Document kept, @Nullable UpstreamConnection from) {
        Exchange asking = client;
        if (asking == null) {
            bytes.release();
        } else if (kept != null) {
            int length = bytes.readableBytes();
            bytes.release();
            share(asking, kept, length);
        } else {
            asking.write(bytes);
            asking.flush();
            hold(asking, from);
        }
    }

    /** Sends what the client wants of the bytes that came last. */
    private void share(Exchange asking, Document kept, int length) {
        long start = Math.max(position, part.first());
        position += length;
        long end = Math.min(position, part.last() + 1);
        if (start < end) {
            int from = kept.memory().writerIndex() - (int) (position - start);
            asking.writeShared(kept.memory(), from, (int) (end - start), kept.retain());
            asking.flush();
        }
        if (position > part.last()) {
            end();
        }
    }

    private void hold(Exchange asking, @Nullable UpstreamConnection from) {
        if (from != null && !asking.isWritable() && !asking.isGone()) {
            heldBack = true;
            from.pause();
            asking.onWritable(from::resume);
        }
    }

    /**
     * The response is whole.
     *
     * @return whether somebody was answered with it
     */
    boolean end() {
        Exchange asking = take();
        if (asking != null) {
            asking.end();
            answered = true;
        }
        return answered;
    }

    /** Whether the origin ever had to wait for the client. */
    boolean heldBack() {
        return heldBack;
    }

    /**
     * The response will not come, or not wholly.
     *
     * @param forwarded why the origin was asked, see {@link Purpose#forwarded}
     */
    void fail(UpstreamFailure failure, String forwarded) {
        Exchange asking = take();
        if (asking != null && begun) {
            asking.cut();
        } else if (asking != null) {
            OriginHandler.refuse(asking, failure, forwarded);
        }
    }

    private @Nullable Exchange take() {
        Exchange asking = client;
        client = null;
        return asking;
    }
}
