// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.policy.SchedulingWindow;
import io.albm.cache.store.Document;
import io.albm.cache.store.MemoryLedger;
import io.albm.cache.store.ResidentControl;
import io.albm.cache.store.ResidentSet;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The responses of an origin in main memory, and the requests under way for them: what a shared cache by RFC 9111 knows.
 *
 * <p><b>Where a response is.</b> A URL without {@code Vary} has one response, under the URL. One that varies has a list of
 * what selected its responses, bounded per URL and in number of URLs; a response that is in no list can be found by nobody
 * and grows old until the policy evicts it. Memory, policy and scheduling window are those of the documents of a
 * directory ({@link ResidentSet}).
 *
 * <p><b>One read for all who wait.</b> The first request for a response that is missing or stale makes a {@link Flight};
 * later ones join it. If the response may be shared they get it, whatever its lifetime, because the origin sent it while
 * they waited; if not, each asks for its own, and so do, for a while, all later ones for that URL without waiting.
 *
 * <p><b>What cannot be dropped at once.</b> Giving up a response needs room in the ledger for its bytes while others still
 * send them. Where there is none, it is marked and answers nothing; its memory is given back when it is met again, or by
 * eviction.
 *
 * <p>Thread-safe. One lock guards everything; nothing blocks while holding it, and nobody is called back under it.
 */
final class ResponseCache implements AutoCloseable {

    private static final int MOST_VARIED = 50_000;

    private final Object lock = new Object();
    private final Map<String, Variants> varied = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Variants> eldest) {
            return size() > MOST_VARIED;
        }
    };
    private final Map<ResponseKey, Flight> flights = new HashMap<>();
    private final RecentKeys unshared = new RecentKeys();
    private final ResidentSet<ResponseKey, CachedResponse> residents;
    private final MemoryLedger ledger;
    private final ResidentControl<ResponseKey> control;
    private final StoreStats storeStats;
    private final OriginStats stats;

    ResponseCache(StoreSettings settings, StoreStats storeStats, OriginStats stats) {
        this.storeStats = storeStats;
        this.stats = stats;
        ledger = new MemoryLedger(settings.memory());
        residents = new ResidentSet<>(settings, ledger, storeStats);
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
        synchronized (lock) {
            CachedResponse stored = request.needsOrigin() ? null : select(request);
            ResponseKey key = stored == null ? likelyKey(request) : stored.key();
            SchedulingWindow.Ticket<ResponseKey> ticket = residents.arrives(key);
            if (stored != null) {
                return withStored(request, stored, asked, now, new Flight.Waiting(ticket, follower));
            }
            if (asked.onlyIfCached()) {
                residents.leaves(ticket);
                return new Verdict.NotCached();
            }
            if (!request.mayShare() || unshared.contains(request.uri(), now)) {
                residents.leaves(ticket);
                return new Verdict.Pass();
            }
            return flyOrJoin(key, null, new Flight.Waiting(ticket, follower));
        }
    }

    /** Under which the response will be stored if it varies as the last one of its URL did. */
    private ResponseKey likelyKey(CacheRequest request) {
        Variants variants = varied.get(request.uri());
        Selection selection = variants == null ? Selection.NONE : variants.latest();
        return new ResponseKey(request.uri(), selection.key(request.fields()));
    }

    private Verdict withStored(
            CacheRequest request, CachedResponse stored, Asked asked, Instant now, Flight.Waiting waiting) {
        return switch (Reuse.of(stored.head(), asked, now)) {
            case SERVED -> {
                stats.hits.increment();
                yield serve(stored, null, waiting);
            }
            case SERVED_WHILE_VALIDATED -> {
                stats.stale.increment();
                yield serve(stored, validationOf(stored), waiting);
            }
            case VALIDATED_FIRST -> validate(request, stored, asked, waiting);
        };
    }

    private Verdict serve(CachedResponse stored, @Nullable Flight validation, Flight.Waiting waiting) {
        residents.leaves(waiting.ticket());
        residents.served(stored.key());
        stored.served();
        storeStats.countServed(stored.bodyBytes(), 1);
        return new Verdict.Serve(stored.retained(), validation);
    }

    /** A flight for a validation that nobody waits for; null if there is one under way. */
    private @Nullable Flight validationOf(CachedResponse stored) {
        if (flights.containsKey(stored.key())) {
            return null;
        }
        stats.validations.increment();
        Flight flight = new Flight(stored.key(), residents.arrives(stored.key()));
        flights.put(stored.key(), flight);
        return flight;
    }

    private Verdict validate(CacheRequest request, CachedResponse stored, Asked asked, Flight.Waiting waiting) {
        if (asked.onlyIfCached() || !request.isGet() || request.isUnstored()) {
            residents.leaves(waiting.ticket());
            return asked.onlyIfCached() ? new Verdict.NotCached() : new Verdict.Pass();
        }
        return flyOrJoin(stored.key(), stored, waiting);
    }

    private Verdict flyOrJoin(ResponseKey key, @Nullable CachedResponse stored, Flight.Waiting waiting) {
        Flight under = flights.get(key);
        if (under != null) {
            stats.coalesced.increment();
            under.followers().add(waiting);
            return new Verdict.Join();
        }
        (stored == null ? stats.misses : stats.validations).increment();
        Flight flight = new Flight(key, waiting.ticket());
        flights.put(key, flight);
        return new Verdict.Fetch(flight, stored == null ? null : stored.retained());
    }

    /** The response that such a request gets if it may be reused: of several, the one that came last. */
    private @Nullable CachedResponse select(CacheRequest request) {
        Variants variants = varied.get(request.uri());
        if (variants == null) {
            return usable(new ResponseKey(request.uri(), ""), request);
        }
        CachedResponse latest = null;
        for (ResponseKey key : variants.candidates(request)) {
            CachedResponse candidate = usable(key, request);
            if (candidate != null && (latest == null || receivedAfter(candidate, latest))) {
                latest = candidate;
            }
        }
        return latest;
    }

    private static boolean receivedAfter(CachedResponse one, CachedResponse other) {
        return one.head()
                .freshness()
                .received()
                .isAfter(other.head().freshness().received());
    }

    private @Nullable CachedResponse usable(ResponseKey key, CacheRequest request) {
        CachedResponse stored = residents.get(key);
        if (stored == null) {
            forgetVariant(key);
            return null;
        }
        if (stored.outdated) {
            giveUp(stored);
            return null;
        }
        boolean permitted =
                !request.fields().has("Authorization") || stored.head().policy().allowsAuthorized();
        return permitted ? stored : null;
    }

    // What comes from the origin.

    MemoryLedger ledger() {
        return ledger;
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
     * @return the response, stored or not
     */
    CachedResponse store(CacheRequest request, StoredHead head, Document document, @Nullable Flight flight) {
        Selection selection = Selection.of(head.reply().fields());
        ResponseKey key = new ResponseKey(request.uri(), selection.key(request.fields()));
        CachedResponse newcomer = new CachedResponse(key, selection, head, document);
        synchronized (lock) {
            // Requests that this answers are no reason to keep it: they leave the window before it is admitted.
            if (flight != null) {
                end(flight);
            }
            boolean current = flight == null || !flight.outdated;
            if (current && isFree(key) && residents.admit(key, newcomer)) {
                stats.stored.increment();
                unshared.remove(request.uri());
                note(key, selection);
            }
        }
        return newcomer;
    }

    private boolean isFree(ResponseKey key) {
        CachedResponse former = residents.get(key);
        return former == null || giveUp(former);
    }

    private void note(ResponseKey key, Selection selection) {
        Variants variants = varied.get(key.uri());
        if (variants == null) {
            if (selection.equals(Selection.NONE)) {
                return;
            }
            variants = new Variants();
            varied.put(key.uri(), variants);
            ResponseKey plain = new ResponseKey(key.uri(), "");
            if (residents.get(plain) != null) {
                variants.add(plain, Selection.NONE);
            }
        }
        variants.add(key, selection).forEach(this::drop);
    }

    /** The origin said that a stored response is current. */
    void validated(CachedResponse response, StoredHead head) {
        synchronized (lock) {
            stats.validated.increment();
            response.validated(head);
            if (residents.get(response.key()) == response && !response.outdated) {
                residents.served(response.key());
            }
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
            CachedResponse stored = select(request);
            return stored == null ? null : stored.retained();
        }
    }

    /** Makes void what is stored under a URI, and what is on its way. */
    void invalidate(String uri) {
        synchronized (lock) {
            Variants variants = varied.remove(uri);
            drop(new ResponseKey(uri, ""));
            if (variants != null) {
                variants.all().forEach(this::drop);
            }
            flights.values().stream()
                    .filter(flight -> flight.key().uri().equals(uri))
                    .forEach(flight -> flight.outdated = true);
        }
    }

    /** Ends a flight, once; its followers are the caller's to tell. */
    List<Flight.Waiting> dismiss(Flight flight) {
        synchronized (lock) {
            if (flight.over) {
                return List.of();
            }
            flight.over = true;
            end(flight);
            return List.copyOf(flight.followers());
        }
    }

    /** Its requests have what they waited for. */
    private void end(Flight flight) {
        if (!flight.landed) {
            flight.landed = true;
            flights.remove(flight.key(), flight);
            residents.leaves(flight.ticket());
            flight.followers().forEach(waiting -> residents.leaves(waiting.ticket()));
        }
    }

    private void drop(ResponseKey key) {
        CachedResponse stored = residents.get(key);
        if (stored != null) {
            giveUp(stored);
        }
    }

    private boolean giveUp(CachedResponse stored) {
        stored.outdated = true;
        if (!ledger.tryReserve(stored.bytes())) {
            return false;
        }
        forgetVariant(stored.key());
        return residents.drop(stored.key(), stored);
    }

    private void forgetVariant(ResponseKey key) {
        Variants variants = varied.get(key.uri());
        if (variants != null) {
            variants.remove(key);
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

    MemoryLedger.Balance balance() {
        return ledger.balance();
    }

    @Override
    public void close() {
        synchronized (lock) {
            residents.clear();
        }
    }
}
