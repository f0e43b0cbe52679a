// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.http.Exchange;
import io.albm.core.http.Framing;
import io.albm.core.http.HeadWriter;
import io.albm.core.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request to the origin and what becomes of its response: it goes to the client that asked as it comes in, and beside
 * that into memory, if it may be stored and there is room.
 *
 * <p><b>Who sets the pace.</b> A response that is read into a place of known size is read at the origin's pace, and the
 * client is sent from that place at its own, so that one slow client makes nobody else wait. Otherwise the client's pace
 * is the origin's.
 *
 * <p><b>Who goes away.</b> A client that leaves ends the request, unless the response is being stored or others wait.
 *
 * <p>Confined to the event loop of the client, or of whoever began it where no client waits.
 */
final class Fetch implements Upstream {

    /** What the request is sent for. */
    enum Purpose {
        /** A response that may be shared; the client's own conditions are left out. */
        WHOLE("uri-miss"),
        /** Whether a stored response is current. */
        VALIDATION("stale"),
        /** One client's request, passed on as it is. */
        PASSED("request"),
        /** The same, of a method that no stored response answers. */
        METHOD("method");

        private final String forwarded;

        Purpose(String forwarded) {
            this.forwarded = forwarded;
        }
    }

    private static final int EARLY_HINTS = 103;

    private final OriginHandler handler;
    private final ResponseCache cache;
    private final OriginStats stats;
    private final InstantSource clock;
    private final Purpose purpose;
    private final CacheRequest request;
    private final @Nullable Flight flight;
    private @Nullable CachedResponse stored;
    private @Nullable Exchange client;
    private @Nullable RequestSender sender;
    private @Nullable UpstreamConnection connection;
    private @Nullable Copy copy;
    private @Nullable StoredHead received;
    private Instant requested;
    private long bodyBytes;
    private boolean begun;
    private boolean ignored;
    private boolean over;

    /**
     * @param request kept for good
     * @param flight those who wait for the same; null if nobody can
     * @param stored a reference on what is validated; null if nothing is
     * @param client who is answered; null if nobody is
     */
    Fetch(
            OriginHandler handler,
            Purpose purpose,
            CacheRequest request,
            @Nullable Flight flight,
            @Nullable CachedResponse stored,
            @Nullable Exchange client) {
        this.handler = handler;
        this.purpose = purpose;
        this.request = request;
        this.flight = flight;
        this.stored = stored;
        this.client = client;
        cache = handler.cache();
        stats = handler.stats();
        clock = handler.clock();
        requested = clock.instant();
    }

    void start() {
        Exchange asking = client;
        if (asking != null) {
            asking.onGone(this::clientGone);
        }
        handler.pool().borrow(this, request.isHead());
    }

    // The request.

    @Override
    public void ready(UpstreamConnection lent) {
        if (over) {
            lent.unused();
            return;
        }
        connection = lent;
        requested = clock.instant();
        RequestSender sending = new RequestSender(lent, request.hasBody() ? client : null);
        sender = sending;
        sending.send(request, fields());
    }

    private FieldList fields() {
        return switch (purpose) {
            case WHOLE -> OutgoingRequest.whole(request);
            case VALIDATION -> OutgoingRequest.whole(request).plus(conditions());
            case PASSED, METHOD -> OutgoingRequest.passed(request);
        };
    }

    private FieldList conditions() {
        CachedResponse asked = stored;
        return asked == null
                ? FieldList.EMPTY
                : Validators.of(asked.head().reply()).conditions();
    }

    @Override
    public void writable() {
        RequestSender sending = sender;
        if (sending != null) {
            sending.writable();
        }
    }

    @Override
    public boolean mayRepeat() {
        return !request.hasBody() && request.isIdempotent();
    }

    // The response's head.

    @Override
    public void interim(ResponseHead head) {
        Exchange asking = client;
        if (asking != null && head.status() == EARLY_HINTS) {
            HeadWriter to = asking.newHead();
            ReplyLines.status(to, EARLY_HINTS, "Early Hints");
            FieldLines.write(to, HopFields.removed(new HeadFields(head)));
            asking.interim();
        }
    }

    @Override
    public void head(ResponseHead head) {
        Instant now = clock.instant();
        Reply reply = Reply.of(head);
        CachedResponse asked = stored;
        if (asked != null && reply.status() == Statuses.NOT_MODIFIED) {
            validated(asked, reply, now);
        } else if (asked != null && Statuses.isCoveredError(reply.status()) && standsIn(asked, now)) {
            stats.errors.increment();
            ignore();
            staleOnError(asked, now);
        } else {
            begin(head, reply, now);
        }
    }

    private boolean standsIn(CachedResponse asked, Instant now) {
        return Reuse.isUsableOnError(
                asked.head(), Asked.of(request.fields()), handler.settings().staleIfError(), now);
    }

    /** The rest of the response is of no interest: it is a 304 without a body, or the connection ends with it. */
    private void ignore() {
        ignored = true;
    }

    private void validated(CachedResponse asked, Reply reply, Instant now) {
        ignore();
        StoredHead fresh = asked.head().updated(reply.fields(), requested, now);
        cache.validated(asked, fresh);
        Exchange asking = takeClient();
        if (asking != null) {
            cache.storeStats().countServed(asked.bodyBytes(), 1);
            CachedReply.send(asking, request, asked.retained(), CacheStatus.validated(fresh, now), now);
        }
        land(asked);
    }

    private void staleOnError(CachedResponse asked, Instant now) {
        Exchange asking = takeClient();
        if (asking != null) {
            stats.stale.increment();
            cache.storeStats().countServed(asked.bodyBytes(), 1);
            CachedReply.send(asking, request, asked.retained(), CacheStatus.staleOnError(asked.head(), now), now);
        }
        land(asked);
    }

    private void begin(ResponseHead head, Reply reply, Instant now) {
        begun = true;
        StoredHead keeping = StoredHead.of(reply, requested, now);
        received = keeping;
        if (!request.isSafe() && Statuses.isSuccess(reply.status())) {
            invalidate(reply);
        }
        if (request.isHead()) {
            handler.headAnswered(request, reply, requested, now);
        }
        Storability storability = Storability.of(request, keeping);
        if (storability == Storability.STORED && head.framing() != Framing.UNTIL_CLOSE) {
            copy = copyOf(head, keeping);
        }
        if (copy == null) {
            notStored(isNobodyElses(storability, reply), now);
        }
        Exchange asking = client;
        if (asking != null) {
            beginReply(asking, head, reply, keeping, now);
        }
    }

    private @Nullable Copy copyOf(ResponseHead head, StoredHead keeping) {
        ByteBufAllocator allocator = handler.allocator();
        HeadWriter lines = new HeadWriter();
        ReplyLines.stored(lines, keeping.reply());
        ByteBuf text = lines.toBuffer(allocator, 0);
        try {
            long length = head.framing() == Framing.CHUNKED ? -1 : head.contentLength();
            return Copy.begin(text, length, cache.largestBytes(), cache.ledger(), allocator);
        } finally {
            text.release();
        }
    }

    private void invalidate(Reply reply) {
        stats.invalidations.increment();
        cache.invalidate(request.uri());
        for (String name : List.of("Location", "Content-Location")) {
            for (String reference : reply.fields().all(name)) {
                cache.invalidate(request.resolved(reference));
            }
        }
    }

    /** Whether later responses of this URL will be like this one; an error is soon forgotten. */
    private static boolean isNobodyElses(Storability storability, Reply reply) {
        return storability != Storability.STORED && reply.status() < Statuses.ERRORS;
    }

    /** Nobody else can be given this response: who waits for it asks for its own. */
    private void notStored(boolean nobodyElses, Instant now) {
        if (flight != null) {
            if (nobodyElses) {
                cache.unshared(request, now);
            }
            cache.dismiss(flight).forEach(waiting -> waiting.follower().dispersed());
        }
    }

    private void beginReply(Exchange asking, ResponseHead head, Reply reply, StoredHead keeping, Instant now) {
        String status = CacheStatus.forwarded(purpose.forwarded, reply.status(), copy != null);
        if (flight != null
                && reply.status() == Statuses.OK
                && Presented.isNotModified(request.fields(), keeping, now)) {
            CachedReply.notModified(asking.newHead(), keeping, status, now);
            client = null;
            CachedReply.withoutBody(asking, Statuses.NOT_MODIFIED);
            return;
        }
        ForwardedReply.begin(asking, request, head, reply, status, now);
    }

    // Its body.

    @Override
    public void bytes(ByteBuf bytes) {
        if (ignored) {
            bytes.release();
            return;
        }
        bodyBytes += bytes.readableBytes();
        boolean kept = keep(bytes);
        Exchange asking = client;
        if (asking == null) {
            bytes.release();
        } else if (kept && copy instanceof Copy.OfKnownLength place) {
            int length = bytes.readableBytes();
            bytes.release();
            asking.writeShared(
                    place.document().memory(),
                    place.document().memory().writerIndex() - length,
                    length,
                    place.document().retain());
            asking.flush();
        } else {
            asking.write(bytes);
            asking.flush();
            paceOf(asking);
        }
    }

    private boolean keep(ByteBuf bytes) {
        Copy keeping = copy;
        if (keeping == null) {
            return false;
        }
        if (keeping.add(bytes)) {
            return true;
        }
        keeping.discard();
        copy = null;
        notStored(false, clock.instant());
        return false;
    }

    private void paceOf(Exchange asking) {
        UpstreamConnection from = connection;
        if (from != null && !asking.isWritable() && !asking.isGone()) {
            from.pause();
            asking.onWritable(from::resume);
        }
    }

    @Override
    public void end() {
        connection = null;
        Copy whole = copy;
        copy = null;
        CachedResponse newcomer = whole == null ? null : stored(whole);
        Exchange asking = takeClient();
        count(asking != null);
        if (asking != null) {
            asking.end();
        }
        if (newcomer != null) {
            land(newcomer);
            newcomer.release();
        } else if (!ignored && flight != null) {
            cache.dismiss(flight).forEach(waiting -> waiting.follower().dispersed());
        }
        finish();
    }

    private void count(boolean answered) {
        if (!ignored && purpose != Purpose.METHOD) {
            cache.storeStats().countRead(bodyBytes, 1);
            cache.storeStats().countServed(bodyBytes, answered ? 1 : 0);
        }
    }

    private @Nullable CachedResponse stored(Copy whole) {
        var document = whole.finish();
        return document == null || received == null ? null : cache.store(request, received, document, flight);
    }

    /** All who wait get the response. */
    private void land(CachedResponse response) {
        if (flight != null) {
            cache.dismiss(flight).forEach(waiting -> waiting.follower().landed(response.retained()));
        }
    }

    // Its failure.

    @Override
    public void failed(UpstreamFailure failure) {
        connection = null;
        if (over || ignored) {
            finish();
            return;
        }
        stats.errors.increment();
        Copy broken = copy;
        copy = null;
        if (broken != null) {
            broken.discard();
        }
        Instant now = clock.instant();
        CachedResponse asked = stored;
        if (!begun && asked != null && standsIn(asked, now)) {
            staleOnError(asked, now);
        } else {
            tell(failure);
        }
        finish();
    }

    private void tell(UpstreamFailure failure) {
        Exchange asking = takeClient();
        if (asking != null && begun) {
            asking.cut();
        } else if (asking != null) {
            OriginHandler.refuse(asking, failure, purpose.forwarded);
        }
        if (flight != null) {
            cache.dismiss(flight).forEach(waiting -> waiting.follower().failed(failure));
        }
    }

    private void clientGone() {
        client = null;
        UpstreamConnection from = connection;
        if (over) {
            return;
        }
        if (copy != null || (flight != null && !begun)) {
            if (from != null) {
                from.resume();
            }
            return;
        }
        handler.pool().cancel(this);
        if (from != null) {
            from.abandon();
        }
        finish();
    }

    private @Nullable Exchange takeClient() {
        Exchange asking = client;
        client = null;
        return asking;
    }

    private void finish() {
        over = true;
        RequestSender sending = sender;
        if (sending != null) {
            sending.stop();
        }
        CachedResponse asked = stored;
        stored = null;
        if (asked != null) {
            asked.release();
        }
    }
}
