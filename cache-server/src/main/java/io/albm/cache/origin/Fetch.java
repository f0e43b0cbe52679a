// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.http.ByteRange;
import io.albm.cache.http.Exchange;
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
 * <p><b>Who sets the pace.</b> A response that is kept is read at the origin's pace, and the client is sent from there at its
 * own, so that one slow client makes nobody else wait. Otherwise nobody waits for it but the client, whose pace is the
 * origin's.
 *
 * <p><b>Who goes away.</b> A client that leaves ends the request, unless the response is being stored or others wait. A
 * body that is of no use to anybody any more is not read to its end, of which nobody knows whether it comes: the
 * connection is closed.
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
    private final Others others;
    private final Intake intake;
    private FieldList sent = FieldList.EMPTY;
    private @Nullable RequestSender sender;
    private @Nullable UpstreamConnection connection;
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
        validation = stored == null ? null : new Validation(stored);
        delivery = new Delivery(request, client);
        cache = handler.cache();
        others = new Others(cache, request, flight);
        stats = handler.stats();
        clock = handler.clock();
        requested = clock.instant();
        intake = new Intake(handler, request);
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
        intake.asked();
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
        } else if (validation != null && Statuses.isCoveredError(reply.status())) {
            erred(standIn(validation, now), head, reply, now);
        } else {
            begin(head, reply, now);
        }
        if (head.framing() != Framing.NONE) {
            endIfForNobody();
        }
    }

    private StandIn standIn(Validation asked, Instant now) {
        return new StandIn(asked.response(), handler.settings().staleIfError(), now);
    }

    /** Who may not have the stored response gets the origin's: the client that asked gets this one. */
    private void erred(StandIn stored, ResponseHead head, Reply reply, Instant now) {
        others.prefer(stored);
        if (standsInForClient(stored)) {
            stats.errors.increment();
            staleOnError(stored);
            others.disperse();
        } else {
            begin(head, reply, now);
        }
    }

    private boolean standsInForClient(StandIn stored) {
        return stored.mayAnswer(Asked.of(request.fields()));
    }

    private void validated(CachedResponse asked, Reply reply, Instant now) {
        StoredHead fresh = asked.head().updated(reply.fields(), requested, now);
        if (Storability.of(request, fresh) == Storability.STORED) {
            CachedResponse current = cache.validated(asked, fresh, request);
            answerStored(current, CacheStatus.validated(fresh, now), now);
            others.land(current);
            current.release();
        } else {
            cache.forget(asked);
            answerAlone(asked.with(fresh, request), CacheStatus.validated(fresh, now), now);
        }
    }

    /** What was everybody's is from now on this client's alone. */
    private void answerAlone(CachedResponse own, String cacheStatus, Instant now) {
        answerStored(own, cacheStatus, now);
        own.release();
        others.disperseForLong(now);
    }

    private void staleOnError(StandIn stored) {
        String status = CacheStatus.staleOnError(stored.response().head(), stored.now());
        if (answerStored(stored.response(), status, stored.now())) {
            stats.stale.increment();
        }
    }

    /** The client that asked gets a stored response; what comes in is of no interest. */
    private boolean answerStored(CachedResponse stored, String cacheStatus, Instant now) {
        ignored = true;
        boolean answered = delivery.answer(stored, cacheStatus, now);
        cache.storeStats().countServed(stored.bodyBytes(), answered ? 1 : 0);
        return answered;
    }

    private void begin(ResponseHead head, Reply reply, Instant now) {
        begun = true;
        StoredHead keeping = StoredHead.of(reply, requested, now);
        if (!request.isSafe() && Statuses.isSuccess(reply.status())) {
            invalidate(reply.fields());
        }
        if (request.isHead()) {
            handler.headAnswered(request, reply, requested, now);
        }
        cache.learnSize(request, head, keeping);
        Storability storability = Storability.of(request, keeping);
        boolean kept = storability == Storability.STORED && intake.begin(head, keeping);
        if (!kept) {
            notStored(storability, reply, now);
        }
        String status = CacheStatus.forwarded(purpose.forwarded(), reply.status(), kept);
        if (flight == null || reply.status() != Statuses.OK) {
            delivery.begin(head, reply, status, now);
        } else {
            present(head, keeping, reply, status, now);
        }
    }

    /** The origin was asked for the whole, whatever conditions and ranges the client's request has. */
    private void present(ResponseHead head, StoredHead keeping, Reply reply, String status, Instant now) {
        switch (Presented.ofComing(request, keeping, head, now)) {
            case Presented.NotModified same -> delivery.notModified(keeping, status, now);
            case Presented.Unsatisfiable none -> delivery.unsatisfiable(head.contentLength(), status);
            case Presented.Part(ByteRange.Part part)
            when intake.isKeeping() -> delivery.beginPart(part, head.contentLength(), reply, status, now);
            case Presented.Part unkept -> askAgain();
            case Presented.Whole whole -> delivery.begin(head, reply, status, now);
        }
    }

    /** The whole will not be kept, so its client gets the part alone. */
    private void askAgain() {
        abandon();
        delivery.askAgain(handler);
        finish();
    }

    private void invalidate(Fields response) {
        stats.invalidations.increment();
        intake.changed(response);
    }

    /** Later responses of this URL will be like this one, if it is no error, and there was room for it. */
    private void notStored(Storability storability, Reply reply, Instant now) {
        if (storability != Storability.STORED && reply.status() < Statuses.ERRORS) {
            others.disperseForLong(now);
        } else {
            others.disperse();
        }
    }

    // Its body.

    @Override
    public void bytes(ByteBuf bytes) {
        bodyBytes += bytes.readableBytes();
        boolean kept = intake.isKeeping();
        Document place = intake.add(bytes);
        if (kept && !intake.isKeeping()) {
            others.disperse();
        }
        delivery.bytes(bytes, place, connection);
        endIfForNobody();
    }

    private void endIfForNobody() {
        boolean wanted = !ignored && (intake.isKeeping() || delivery.isWaitedFor());
        if (!over && !wanted) {
            abandon();
            finish();
        }
    }

    @Override
    public void end() {
        connection = null;
        CachedResponse newcomer = intake.finish(flight, !delivery.heldBack());
        count(delivery.end());
        if (newcomer != null) {
            others.land(newcomer);
            newcomer.release();
        } else {
            others.disperse();
        }
        finish();
    }

    private void count(boolean answered) {
        if (!ignored && purpose != Purpose.METHOD) {
            cache.storeStats().countRead(bodyBytes, 1);
            cache.storeStats().countServed(bodyBytes, answered ? 1 : 0);
        }
    }

    // Its failure.

    @Override
    public void failed(UpstreamFailure failure) {
        connection = null;
        if (over) {
            return;
        }
        stats.errors.increment();
        intake.discard();
        @Nullable StandIn stored = validation == null ? null : standIn(validation, clock.instant());
        if (stored != null) {
            others.prefer(stored);
        }
        if (!begun && stored != null && standsInForClient(stored)) {
            staleOnError(stored);
        } else {
            delivery.fail(failure, purpose.forwarded());
        }
        others.fail(failure);
        finish();
    }

    private void clientGone() {
        UpstreamConnection from = connection;
        if (over) {
            return;
        }
        if (intake.isKeeping() || (flight != null && !begun)) {
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
        intake.end();
    }
}
