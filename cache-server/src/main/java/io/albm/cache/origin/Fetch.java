// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.http.Exchange;
import io.albm.cache.origin.Errands.Errand;
import io.albm.cache.store.Document;
import io.albm.core.http.Framing;
import io.albm.core.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import java.time.Instant;
import java.time.InstantSource;
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

    private final OriginHandler handler;
    private final ResponseCache cache;
    private final OriginStats stats;
    private final InstantSource clock;
    private final Purpose purpose;
    private final CacheRequest request;
    private final @Nullable Flight flight;
    private final @Nullable Validation validation;
    private final Delivery delivery;
    private Errand errand;
    private FieldList sent = FieldList.EMPTY;
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
        validation = stored == null ? null : new Validation(stored, request);
        delivery = new Delivery(request, client);
        cache = handler.cache();
        stats = handler.stats();
        clock = handler.clock();
        requested = clock.instant();
        errand = cache.begins(request.uri());
    }

    void start() {
        delivery.onGone(this::clientGone);
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
        RequestSender sending = new RequestSender(lent, delivery.bodySource());
        sender = sending;
        sent = fields();
        sending.send(request, sent);
    }

    private FieldList fields() {
        return switch (purpose) {
            case WHOLE -> OutgoingRequest.whole(request);
            case VALIDATION ->
                OutgoingRequest.whole(request).plus(validation == null ? FieldList.EMPTY : validation.conditions());
            case PASSED, METHOD -> OutgoingRequest.passed(request);
        };
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
        delivery.interim(head);
    }

    @Override
    public void head(ResponseHead head) {
        Instant now = clock.instant();
        Reply reply = Reply.of(head);
        reply = reply.with(handler.settings().origin().outward(reply.fields(), request.authority()));
        if (!OutgoingRequest.explains(sent, reply.status())) {
            abandon();
            failed(UpstreamFailure.broken("status " + reply.status() + ", which nothing in the request asked for"));
        } else if (validation != null && reply.status() == Statuses.NOT_MODIFIED) {
            validated(validation.response(), reply, now);
        } else if (validation != null && Statuses.isCoveredError(reply.status()) && standsIn(validation, now)) {
            stats.errors.increment();
            staleOnError(validation.response(), now);
        } else {
            begin(head, reply, now);
        }
    }

    private boolean standsIn(Validation asked, Instant now) {
        return asked.standsIn(handler.settings().staleIfError(), now);
    }

    private void validated(CachedResponse asked, Reply reply, Instant now) {
        StoredHead fresh = asked.head().updated(reply.fields(), requested, now);
        if (Storability.of(request, fresh) == Storability.STORED) {
            cache.validated(asked, fresh);
            answerStored(asked, CacheStatus.validated(fresh, now), now);
        } else {
            cache.forget(asked);
            answerAlone(asked.with(fresh), CacheStatus.validated(fresh, now), now);
        }
    }

    /** What was everybody's is from now on this client's alone. */
    private void answerAlone(CachedResponse own, String cacheStatus, Instant now) {
        ignored = true;
        boolean answered = delivery.answer(own, cacheStatus, now);
        cache.storeStats().countServed(own.bodyBytes(), answered ? 1 : 0);
        own.release();
        notStored(true, now);
    }

    private void staleOnError(CachedResponse asked, Instant now) {
        if (answerStored(asked, CacheStatus.staleOnError(asked.head(), now), now)) {
            stats.stale.increment();
        }
    }

    /** All get the stored response; the rest of what comes in is of no interest. */
    private boolean answerStored(CachedResponse asked, String cacheStatus, Instant now) {
        ignored = true;
        boolean answered = delivery.answer(asked, cacheStatus, now);
        cache.storeStats().countServed(asked.bodyBytes(), answered ? 1 : 0);
        land(asked);
        return answered;
    }

    private void begin(ResponseHead head, Reply reply, Instant now) {
        begun = true;
        StoredHead keeping = StoredHead.of(reply, requested, now);
        received = keeping;
        if (!request.isSafe() && Statuses.isSuccess(reply.status())) {
            invalidate(reply.fields());
        }
        if (request.isHead()) {
            handler.headAnswered(request, reply, requested, now);
        }
        Storability storability = Storability.of(request, keeping);
        if (storability == Storability.STORED && head.framing() != Framing.UNTIL_CLOSE) {
            copy = Copy.begin(head, keeping, cache.largestBytes(), cache.ledger(), handler.allocator());
        }
        if (copy == null) {
            notStored(isNobodyElses(storability, reply), now);
        }
        String status = CacheStatus.forwarded(purpose.forwarded(), reply.status(), copy != null);
        if (flight != null
                && reply.status() == Statuses.OK
                && Presented.isNotModified(request.fields(), keeping, now)) {
            delivery.notModified(keeping, status, now);
        } else {
            delivery.begin(head, reply, status, now);
        }
    }

    /** What is on its way is void as well; what comes of this request itself is not. */
    private void invalidate(Fields response) {
        stats.invalidations.increment();
        request.changed(response).forEach(cache::invalidate);
        cache.ends(errand);
        errand = cache.begins(request.uri());
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
            disperse(flight);
        }
    }

    // Its body.

    @Override
    public void bytes(ByteBuf bytes) {
        if (ignored) {
            bytes.release();
            return;
        }
        bodyBytes += bytes.readableBytes();
        delivery.bytes(bytes, keep(bytes), connection);
    }

    /** Where the bytes are now, if they can be sent from there. */
    private @Nullable Document keep(ByteBuf bytes) {
        Copy keeping = copy;
        if (keeping == null) {
            return null;
        }
        if (keeping.add(bytes)) {
            return keeping.place();
        }
        keeping.discard();
        copy = null;
        notStored(false, clock.instant());
        return null;
    }

    @Override
    public void end() {
        connection = null;
        CachedResponse newcomer = store();
        count(delivery.end());
        if (newcomer != null) {
            land(newcomer);
            newcomer.release();
        } else if (!ignored && flight != null) {
            disperse(flight);
        }
        finish();
    }

    private @Nullable CachedResponse store() {
        Copy whole = copy;
        copy = null;
        Document document = whole == null ? null : whole.finish();
        return document == null || received == null ? null : cache.store(request, received, document, flight, errand);
    }

    private void count(boolean answered) {
        if (!ignored && purpose != Purpose.METHOD) {
            cache.storeStats().countRead(bodyBytes, 1);
            cache.storeStats().countServed(bodyBytes, answered ? 1 : 0);
        }
    }

    // Those who wait.

    /** All get the response. */
    private void land(CachedResponse response) {
        if (flight != null) {
            cache.dismiss(flight).forEach(waiting -> waiting.follower().landed(response.retained()));
        }
    }

    private void disperse(Flight waitedFor) {
        cache.dismiss(waitedFor).forEach(waiting -> waiting.follower().dispersed());
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
        if (!begun && validation != null && standsIn(validation, now)) {
            staleOnError(validation.response(), now);
        } else {
            tell(failure);
        }
        finish();
    }

    private void tell(UpstreamFailure failure) {
        delivery.fail(failure, purpose.forwarded());
        if (flight != null) {
            cache.dismiss(flight).forEach(waiting -> waiting.follower().failed(failure));
        }
    }

    private void clientGone() {
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
        abandon();
        finish();
    }

    private void abandon() {
        UpstreamConnection from = connection;
        connection = null;
        if (from != null) {
            from.abandon();
        }
    }

    private void finish() {
        if (over) {
            return;
        }
        over = true;
        RequestSender sending = sender;
        if (sending != null) {
            sending.stop();
        }
        if (validation != null) {
            validation.release();
        }
        if (!request.isSafe() && sending != null && !begun) {
            invalidate(FieldList.EMPTY); // The origin may have done it without a word.
        }
        cache.ends(errand);
    }
}
