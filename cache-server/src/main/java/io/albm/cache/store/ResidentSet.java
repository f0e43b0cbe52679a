// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.policy.EvictionPolicies;
import io.albm.cache.policy.EvictionPolicy;
import io.albm.cache.policy.PolicyContext;
import io.albm.cache.policy.SchedulingWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What stays in main memory: the index, the policy that chooses what leaves it, and the window of waiting requests
 * that tells the policy what comes (paper P2, section 2), kept in step with the {@link MemoryLedger}.
 *
 * <p>A victim leaves the index at once; its bytes stay until the last response that sends them is done, in the
 * ledger's transit account. Where that account has no room for what an admission could move there, the newcomer is
 * refused and served uncached.
 *
 * <p>Not thread-safe: guarded by its owner's lock, the same that guards who waits for which read. No method blocks.
 *
 * @param <K> names a document; immutable, with value equality
 * @param <V> what the owner keeps of it
 */
public final class ResidentSet<K, V extends Resident> {

    private final Map<K, V> residents = new ConcurrentHashMap<>();
    private final SchedulingWindow<K> window;
    private final EvictionPolicy<K> policy;
    private final MemoryLedger ledger;
    private final StoreSettings settings;
    private final StoreStats stats;

    public ResidentSet(StoreSettings settings, MemoryLedger ledger, StoreStats stats) {
        this.settings = settings;
        this.ledger = ledger;
        this.stats = stats;
        window = new SchedulingWindow<>(settings.windowLimit());
        policy = EvictionPolicies.create(settings.policy(), new PolicyContext<>(settings.capacityBytes(), window));
    }

    /** A request came in: it waits until {@link #leaves}, which is called exactly once. */
    public SchedulingWindow.Ticket<K> arrives(K key) {
        SchedulingWindow.Ticket<K> ticket = window.enter(key);
        if (ticket.isCounted()) {
            policy.arrived(key);
        }
        return ticket;
    }

    /** A request was answered, refused or given up. */
    public void leaves(SchedulingWindow.Ticket<K> ticket) {
        window.leave(ticket);
    }

    /** What is kept under {@code key}; the caller takes a reference on its document before it lets go of the lock. */
    public @Nullable V get(K key) {
        return residents.get(key);
    }

    /**
     * A request was answered from memory.
     *
     * @throws IllegalArgumentException if {@code key} is not resident
     */
    public void served(K key) {
        policy.served(key);
    }

    /**
     * Offers what was just read, under a key that is not resident. Its bytes are in transit and the caller holds a
     * reference on its document; if it stays, the set takes one of its own.
     *
     * @return whether it stays
     */
    public boolean admit(K key, V newcomer) {
        long headroom = settings.largestCachedBytes();
        if (!ledger.tryReserve(headroom)) {
            stats.refusedAdmissions.increment();
            return false;
        }
        List<K> victims = new ArrayList<>();
        if (!policy.admit(key, newcomer.document().bytes(), victims::add)) {
            ledger.free(headroom);
            stats.refusedAdmissions.increment();
            return false;
        }
        newcomer.document().retain();
        ledger.exchange(newcomer.document(), forget(victims), headroom);
        residents.put(key, newcomer);
        return true;
    }

    private List<Document> forget(List<K> victims) {
        stats.evictions.add(victims.size());
        List<Document> documents = new ArrayList<>(victims.size());
        for (K victim : victims) {
            V resident = residents.remove(victim);
            if (resident == null) {
                throw new AssertionError("the policy evicted " + victim + ", which is not resident");
            }
            documents.add(resident.document());
        }
        return documents;
    }

    /**
     * Drops what is kept under {@code key} if it is still this. Responses under way may hold its bytes, so the caller
     * has reserved as many in the ledger; they are struck out here, whatever the answer.
     *
     * @return whether it was dropped
     */
    public boolean drop(K key, V resident) {
        long bytes = resident.document().bytes();
        if (!residents.remove(key, resident)) {
            ledger.free(bytes);
            return false;
        }
        policy.remove(key);
        ledger.drop(resident.document(), bytes);
        return true;
    }

    /** Lets go of everything; bytes of responses under way stay until these end. */
    public void clear() {
        residents.forEach((key, resident) -> {
            policy.remove(key);
            resident.document().release();
        });
        residents.clear();
    }


    /** How many are kept. */
    public int size() {
        return residents.size();
    }

    /** Counted requests that wait. */
    public int windowOccupancy() {
        return window.occupancy();
    }
}
