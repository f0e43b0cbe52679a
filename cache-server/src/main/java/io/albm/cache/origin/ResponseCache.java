// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.origin.Errands.Errand;
import io.albm.cache.policy.MeasuredReadCost;
import io.albm.cache.policy.SchedulingWindow;
import io.albm.cache.store.Document;
import io.albm.cache.store.MemoryLedger;
import io.albm.cache.store.ResidentControl;
import io.albm.cache.store.ResidentSet;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.albm.core.http.ResponseHead;
import io.albm.core.time.MonotonicClock;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The responses of an origin in main memory, and the requests under way for them: what a shared cache by RFC 9111 knows.
 * Memory, policy and scheduling window are those of the documents of a directory ({@link ResidentSet}).
 *
 * <p><b>One read for all who wait.</b> The first request for a response that is missing or stale makes a {@link Flight};
 * later ones join it. If the response may be shared they get it, whatever its lifetime, because the origin sent it while
 * they waited; if not, each asks for its own, and so do, for a while, all later ones for that URL without waiting.
 *
 * <p>Thread-safe. One lock guards everything; nothing blocks while holding it, and nobody is called back under it.
 */
final class ResponseCache implements AutoCloseable {

    /** The largest document that is fetched whole for the sake of a part. */
    private static final long MOST_FOR_PART = 8 << 20;

    private final Object lock = new Object();
    private final RecentKeys unshared = new RecentKeys();
    private final KnownSizes sizes = new KnownSizes();
    private final ResidentSet<ResponseKey, CachedResponse> residents;
    private final StoredResponses responses;
    private final Flights flights;
    private final Errands errands = new Errands();
    private final MemoryLedger ledger;
    private final ResidentControl<ResponseKey> control;
    private final StoreStats storeStats;
    private final OriginStats stats;

    ResponseCache(StoreSettings settings, StoreStats storeStats, OriginStats stats, MonotonicClock clock) {
        this.storeStats = storeStats;
        this.stats = stats;
        ledger = new MemoryLedger(settings.memory());
        responses = new StoredResponses(settings, ledger, storeStats, clock);
        residents = responses.residents();
        flights = new Flights(residents);
        control = new ResidentControl<>(lock, residents, ledger, settings.patience(), storeStats);
    }

    // What answers a request.

    /**
     * Decides on a request for GET or HEAD.
     *
     * @param follower told later if the verdict is to join
     */
    Verdict consult(CacheRequest request, Instant now, Flight.Follower follower) {
        Asked asked = Asked.of(request.fields());
        boolean forOrigin = request.isForOrigin();
        synchronized (lock) {
            CachedResponse stored = forOrigin || request.needsOrigin() ? null : responses.select(request);
            if (stored != null) {
                return withStored(request, stored, asked, now, follower);
            }
            ResponseKey key = responses.likelyKey(request);
            if (asked.onlyIfCached()) {
                residents.passes(key);
                return new Verdict.NotCached();
            }
            if (forOrigin || !mayShare(request) || unshared.contains(request.uri(), now)) {
                residents.passes(key);
                return new Verdict.Pass();
            }
            return flyOrJoin(key, null, asked, follower);
        }
    }

    /** Takes note that such a request waits at a distributor and may come here. */
    void announced(CacheRequest request) {
        synchronized (lock) {
            residents.announced(responses.likelyKey(request));
        }
    }

    /** A part is no reason to fetch a whole that may be large, or that will not be kept. */
    private boolean mayShare(CacheRequest request) {
        return request.mayShare()
                || (request.wantsPartOfShared()
                        && sizes.isAtMost(request.uri(), Math.min(MOST_FOR_PART, largestBytes())));
    }

    private Verdict withStored(
            CacheRequest request, CachedResponse stored, Asked asked, Instant now, Flight.Follower follower) {
        return switch (Reuse.of(stored.head(), asked, now)) {
            case SERVED -> {
                stats.hits.increment();
                yield serve(stored, null);
            }
            case SERVED_WHILE_VALIDATED -> {
                stats.stale.increment();
                yield serve(stored, request.isUnstored() ? null : validationOf(stored));
            }
            case VALIDATED_FIRST -> validate(request, stored, asked, follower);
        };
    }

    private Verdict serve(CachedResponse stored, @Nullable Flight validation) {
        residents.passes(stored.key());
        residents.served(stored.key());
        stored.served();
        storeStats.countServed(stored.bodyBytes(), 1);
        return new Verdict.Serve(stored.retained(), validation);
    }

    /**
     * A flight for a validation that nobody waits for; null if there is one under way. Not for a request whose response is
     * not to be stored: what the origin says to it could only take the stored one away.
     */
    private @Nullable Flight validationOf(CachedResponse stored) {
        if (flights.find(stored.key()) != null) {
            return null;
        }
        stats.validations.increment();
        return flights.begin(stored.key(), null); // The request is answered: it was taken note of.
    }

    private Verdict validate(CacheRequest request, CachedResponse stored, Asked asked, Flight.Follower follower) {
        if (asked.onlyIfCached() || !request.isGet() || request.isUnstored()) {
            residents.passes(stored.key());
            return asked.onlyIfCached() ? new Verdict.NotCached() : new Verdict.Pass();
        }
        return flyOrJoin(stored.key(), stored, asked, follower);
    }

    private Verdict flyOrJoin(ResponseKey key, @Nullable CachedResponse stored, Asked asked, Flight.Follower follower) {
        SchedulingWindow.Ticket<ResponseKey> ticket = residents.arrives(key);
        Flight under = flights.find(key);
        if (under != null) {
            stats.coalesced.increment();
            Flight.Waiting waiting = new Flight.Waiting(ticket, asked, follower);
            under.followers().add(waiting);
            return new Verdict.Join(under, waiting);
        }
        (stored == null ? stats.misses : stats.validations).increment();
        return new Verdict.Fetch(flights.begin(key, ticket), stored == null ? null : stored.retained());
    }

    // What comes from the origin.

    MemoryLedger ledger() {
        return ledger;
    }

    /** What reads from the origin cost, to be told of each. */
    MeasuredReadCost readCost() {
        return residents.readCost();
    }

    /** Learns how large the whole is that a response is a part of; see {@link KnownSizes#told}. */
    void learnSize(CacheRequest request, ResponseHead head, StoredHead response) {
        KnownSizes.told(request, head, response).ifPresent(size -> {
            synchronized (lock) {
                sizes.put(request.uri(), size);
            }
        });
    }

    /** The largest response that is stored, with its lines. */
    long largestBytes() {
        return ledger.bounds().largestKeptBytes();
    }

    /**
     * Stores a response, if there is room.
     *
     * @param document its lines and its body, of which the caller holds a reference
     * @param flight what it answers; null if nobody could join
     * @param errand that brought it
     * @return the response, stored or not
     */
    CachedResponse store(
            CacheRequest request, StoredHead head, Document document, @Nullable Flight flight, Errand errand) {
        Selection selection = Selection.of(head.reply().fields());
        CachedResponse newcomer = new CachedResponse(ResponseKey.of(request, selection), selection, head, document);
        synchronized (lock) {
            // Requests that this answers are no reason to keep it: they leave the window before it is admitted.
            if (flight != null) {
                flights.end(flight);
            }
            if (errand.isCurrent(newcomer.key()) && responses.add(newcomer)) {
                stats.stored.increment();
                unshared.remove(request.uri());
            }
        }
        return newcomer;
    }

    /**
     * The origin said that a stored response is current, and what is new of its head.
     *
     * @param response of which the caller holds a reference
     * @param request that it was said to
     * @return the response with that head, stored or not, of which the caller holds a reference
     */
    CachedResponse validated(CachedResponse response, StoredHead head, CacheRequest request) {
        boolean moves = !Selection.of(head.reply().fields()).equals(response.selection());
        synchronized (lock) {
            stats.validated.increment();
            if (!moves && responses.renew(response, head)) {
                return response.retained();
            }
            CachedResponse other = response.with(head, request);
            if (moves) {
                responses.move(response, other);
            }
            return other;
        }
    }

    /** Notes that the response to a request is nobody else's. */
    void unshared(CacheRequest request, Instant now) {
        synchronized (lock) {
            unshared.add(request.uri(), now);
        }
    }

    /** The stored response that a response to HEAD speaks of, if there is one; the caller holds a reference. */
    @Nullable
    CachedResponse peek(CacheRequest request) {
        synchronized (lock) {
            CachedResponse stored = responses.select(request);
            return stored == null ? null : stored.retained();
        }
    }

    /** A request for a URI goes to the origin; it ends with {@link #ends}. */
    Errand begins(String uri) {
        synchronized (lock) {
            return errands.begin(uri);
        }
    }

    void ends(Errand errand) {
        synchronized (lock) {
            errands.end(errand);
        }
    }

    /** Has somebody told what comes of a flight that has just begun for him, and for no client. */
    void follow(Flight flight, CacheRequest request, Flight.Follower follower) {
        Asked asked = Asked.of(request.fields());
        synchronized (lock) {
            flight.followers().add(new Flight.Waiting(null, asked, follower));
        }
    }

    /** The client of one that waits is gone. */
    void leave(Flight flight, Flight.Waiting waiting) {
        synchronized (lock) {
            flights.leave(flight, waiting);
        }
    }

    /** Whether that response, and no other, answers requests now. */
    boolean keeps(CachedResponse response) {
        synchronized (lock) {
            return responses.keeps(response);
        }
    }

    /** Gives up a stored response that turned out to be out of date, or no longer anybody's. */
    void forget(CachedResponse response) {
        synchronized (lock) {
            responses.forget(response);
        }
    }

    /**
     * Makes void what is stored of a resource, by whatever scheme, and what is on its way: it is not stored, and nobody
     * joins it any more.
     *
     * @param resource see {@link CacheRequest#resource}
     */
    void invalidate(String resource) {
        synchronized (lock) {
            for (String uri : List.of(resource, ResponseKey.SECURE + resource)) {
                responses.drop(uri);
                errands.outdate(uri);
                flights.leave(key -> key.uri().equals(uri));
            }
        }
    }

    /**
     * Drops the responses that the predicate names, and makes void those that are on their way. From its beginning on, what
     * was here then answers nothing, and what comes stays; memory is given back piece by piece, while requests go on. What
     * cannot be dropped now answers nothing any more. Blocks.
     *
     * <p>Which variant a response on its way will be is not known, and neither is whether it is one of those that are meant. So
     * nobody joins a request that is under way, whatever it is for.
     *
     * @param names see {@link ResponseKey#isNamedBy}
     */
    ResidentControl.Purged purge(Predicate<? super String> names) throws InterruptedException {
        Predicate<ResponseKey> chosen = key -> key.isNamedBy(names);
        Purge purge = beginPurge(chosen);
        try {
            responses.outdate(purge);
        } finally {
            endPurge(purge);
        }
        return control.purge(chosen, purge.mark());
    }

    private Purge beginPurge(Predicate<ResponseKey> chosen) {
        synchronized (lock) {
            errands.purge(chosen);
            flights.leave(any -> true);
            return responses.begin(chosen);
        }
    }

    private void endPurge(Purge purge) {
        synchronized (lock) {
            responses.end(purge);
        }
    }

    /** Ends a flight, once; its followers are the caller's to tell. */
    List<Flight.Waiting> dismiss(Flight flight) {
        synchronized (lock) {
            return flights.dismiss(flight);
        }
    }

    // What is measured.

    /** Counts requests answered by what the origin was asked for. */
    StoreStats storeStats() {
        return storeStats;
    }

    ResidentControl<ResponseKey> control() {
        return control;
    }

    /** Responses in main memory. */
    int size() {
        return residents.size();
    }

    /** Requests that wait for a response, as the policy knows them. */
    int windowOccupancy() {
        synchronized (lock) {
            return residents.windowOccupancy();
        }
    }

    /** Requests that are believed to wait at distributors. */
    int announcedOccupancy() {
        synchronized (lock) {
            return residents.announcedOccupancy();
        }
    }

    MemoryLedger.Balance balance() {
        return ledger.balance();
    }

    @Override
    public void close() {
        synchronized (lock) {
            residents.close();
        }
    }
}
