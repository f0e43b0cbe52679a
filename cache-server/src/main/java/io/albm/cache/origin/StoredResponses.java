// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.store.MemoryLedger;
import io.albm.cache.store.ResidentSet;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.albm.core.time.MonotonicClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The responses in main memory, and which of them answers a request.
 *
 * <p><b>Where a response is.</b> A URL without {@code Vary} has one response, under the URL. One that varies has a list of
 * what selected its responses, of those that are here, and at most so many.
 *
 * <p><b>What cannot be dropped at once.</b> Giving up a response needs room in the ledger for its bytes while others still
 * send them. Where there is none, it is marked and answers nothing; its memory is given back when it is met again, or by
 * eviction.
 *
 * <p>Guarded by the cache's lock.
 */
final class StoredResponses {

    private final Map<String, Variants> varied = new HashMap<>();
    private final List<Purge> purges = new ArrayList<>(0);
    private final ResidentSet<ResponseKey, CachedResponse> residents;
    private final MemoryLedger ledger;

    StoredResponses(StoreSettings settings, MemoryLedger ledger, StoreStats stats, MonotonicClock clock) {
        this.ledger = ledger;
        residents = new ResidentSet<>(settings, ledger, stats, clock, ResponseKey::characters, this::left);
    }

    /** All of them, found or not. */
    ResidentSet<ResponseKey, CachedResponse> residents() {
        return residents;
    }

    private void left(CachedResponse gone) {
        ResponseKey key = gone.key();
        Variants variants = varied.get(key.uri());
        if (variants != null) {
            variants.remove(key);
            if (variants.isEmpty()) {
                varied.remove(key.uri());
            }
        }
    }

    /** Under which the response will be stored if it varies as the last one of its URL did. */
    ResponseKey likelyKey(CacheRequest request) {
        Variants variants = varied.get(request.uri());
        Selection selection = variants == null ? Selection.NONE : variants.latest();
        return ResponseKey.of(request, selection);
    }

    /** The response that such a request gets if it may be reused: of several, the one that came last. */
    @Nullable
    CachedResponse select(CacheRequest request) {
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
            return null;
        }
        if (isVoid(stored)) {
            giveUp(stored);
            return null;
        }
        return stored.permits(request) ? stored : null;
    }

    /**
     * Takes a response in, in place of the one that is there, if there is room and the policy wants it.
     *
     * @return whether it stays
     */
    boolean add(CachedResponse newcomer) {
        ResponseKey key = newcomer.key();
        CachedResponse former = residents.get(key);
        boolean free = former == null || giveUp(former);
        boolean stays = free && residents.admit(key, newcomer);
        if (stays) {
            note(key, newcomer.selection());
        }
        return stays;
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

    /**
     * The origin said that this is current, and what is new of its head: it counts as served to the policy, or is offered to
     * it anew if it takes another amount of memory since.
     *
     * @return whether it has that head now; not if it is not here any more, or there was no room for the change
     */
    boolean renew(CachedResponse response, StoredHead head) {
        ResponseKey key = response.key();
        if (!keeps(response)) {
            return false;
        }
        if (!response.takesMoreOrLess(head)) {
            response.validated(head);
            residents.served(key);
            return true;
        }
        if (!giveUp(response)) {
            return false;
        }
        response.validated(head);
        response.outdated = false;
        if (residents.admit(key, response)) {
            note(key, response.selection());
        }
        return true;
    }

    /**
     * The origin said that this is current, and that another selection leads to it: under its old key, requests would get it
     * for which it is not. Where there is no room for the change, neither stays.
     */
    void move(CachedResponse response, CachedResponse renewed) {
        if (keeps(response) && giveUp(response)) {
            add(renewed);
        }
    }

    /** Gives up all responses of a URI. */
    void drop(String uri) {
        Variants variants = varied.remove(uri);
        drop(new ResponseKey(uri, ""));
        if (variants != null) {
            variants.all().forEach(this::drop);
        }
    }

    private void drop(ResponseKey key) {
        CachedResponse stored = residents.get(key);
        if (stored != null) {
            giveUp(stored);
        }
    }

    /** Gives up one response, if it is still here. */
    void forget(CachedResponse stored) {
        if (residents.get(stored.key()) == stored) {
            giveUp(stored);
        }
    }

    /** Whether that response, and no other, answers requests. */
    boolean keeps(CachedResponse response) {
        return residents.get(response.key()) == response && !isVoid(response);
    }

    private boolean isVoid(CachedResponse stored) {
        return stored.outdated || (!purges.isEmpty() && purges.stream().anyMatch(purge -> purge.takes(stored)));
    }

    /** From now on, those that are here and are chosen answer nothing; to be ended once they are {@link #outdate}d. */
    Purge begin(Predicate<? super ResponseKey> chosen) {
        Purge purge = new Purge(chosen, residents.mark());
        purges.add(purge);
        return purge;
    }

    /** Notes at each that is void that it is, which takes long: to be called without the lock. */
    void outdate(Purge purge) {
        residents.forEach((key, stored) -> {
            if (purge.takes(stored)) {
                stored.outdated = true;
            }
        });
    }

    /** All that it takes are outdated. */
    void end(Purge purge) {
        purges.remove(purge);
    }

    private boolean giveUp(CachedResponse stored) {
        stored.outdated = true;
        return ledger.tryReserve(stored.document().bytes()) && residents.drop(stored.key(), stored);
    }
}
