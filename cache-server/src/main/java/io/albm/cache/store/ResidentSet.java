// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.policy.EvictionPolicies;
import io.albm.cache.policy.EvictionPolicy;
import io.albm.cache.policy.MeasuredReadCost;
import io.albm.cache.policy.PolicyContext;
import io.albm.cache.policy.SchedulingWindow;
import io.albm.core.time.MonotonicClock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
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
    private EvictionPolicy<K> policy;
    private String policyName;
    private @Nullable Handover<K> handover;
    private long largestBytes;
    private boolean closed;
    private long admissions;
    private final MeasuredReadCost readCost = new MeasuredReadCost(MeasuredReadCost.Objective.OBJECT_HITS);
    private final MemoryLedger ledger;
    private final StoreStats stats;
    private final MonotonicClock clock;
    private final ToIntFunction<? super K> nameBytes;
    private final Consumer<? super V> whenGone;

    /** @param clock by which announced requests grow old */
    public ResidentSet(StoreSettings settings, MemoryLedger ledger, StoreStats stats, MonotonicClock clock) {
        this(settings, ledger, stats, clock, key -> 0, gone -> {});
    }

    /**
     * @param clock by which announced requests grow old
     * @param nameBytes what it takes to remember a key
     * @param whenGone is told, under the lock, of each that was evicted or dropped
     */
    public ResidentSet(
            StoreSettings settings,
            MemoryLedger ledger,
            StoreStats stats,
            MonotonicClock clock,
            ToIntFunction<? super K> nameBytes,
            Consumer<? super V> whenGone) {
        this.ledger = ledger;
        this.stats = stats;
        this.clock = clock;
        this.nameBytes = nameBytes;
        this.whenGone = whenGone;
        largestBytes = ledger.bounds().largestKeptBytes();
        window = new SchedulingWindow<>(settings.windowLimit(), settings.announcedLimit());
        policyName = settings.policy();
        policy = EvictionPolicies.create(policyName, context(settings.capacityBytes(), 0));
    }

    /** A request waits at a distributor and may come here; nothing if announcements are not heeded. */
    public void announced(K key) {
        if (window.announce(key, clock.nanoTime())) {
            isAwaited(key);
            stats.announced.increment();
        }
    }

    /** A request came in and does not wait here: it is answered from memory at once, or never from there. */
    public void passes(K key) {
        window.pass(key);
    }

    /** A request came in: it waits until {@link #leaves}, which is called exactly once. */
    public SchedulingWindow.Ticket<K> arrives(K key) {
        SchedulingWindow.Ticket<K> ticket = window.enter(key);
        if (ticket.isCounted()) {
            isAwaited(key);
        }
        return ticket;
    }

    private void isAwaited(K key) {
        policy.arrived(key);
        if (handover != null) {
            handover.arrived(key);
        }
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
        if (handover != null) {
            handover.served(key);
        }
    }

    /**
     * Offers what was just read, under a key that is not resident. Its bytes are in transit and the caller holds a
     * reference on its document; if it stays, the set takes one of its own.
     *
     * @return whether it stays
     */
    public boolean admit(K key, V newcomer) {
        long headroom = ledger.bounds().largestKeptBytes() + newcomer.heapBytes();
        if (closed || newcomer.bytes() > largestBytes || !ledger.tryReserve(headroom)) {
            stats.refusedAdmissions.increment();
            return false;
        }
        expireAnnounced();
        List<K> victims = new ArrayList<>();
        boolean stays = policy.admit(key, newcomer.bytes(), victims::add);
        List<Document> gone = forget(victims);
        stats.evictions.add(gone.size());
        if (stays) {
            newcomer.document().retain();
            number(newcomer.document());
            ledger.exchange(newcomer.document(), newcomer.heapBytes(), gone, headroom);
            residents.put(key, newcomer);
            if (handover != null) {
                handover.came(key);
            }
        } else {
            ledger.evict(gone, headroom);
            stats.refusedAdmissions.increment();
        }
        return stays;
    }

    /** A document that comes again keeps its number: what it is made of is as old as it was. */
    private void number(Document newcomer) {
        if (newcomer.admission == 0) {
            newcomer.admission = ++admissions;
        }
    }

    /** Marks this moment, so that what is here can be told from what comes. */
    public long mark() {
        return admissions;
    }

    /** Whether a resident was here at a moment that was {@linkplain #mark marked}. May be called without the lock. */
    public static boolean wasHere(Resident resident, long mark) {
        return resident.document().admission <= mark;
    }

    private void expireAnnounced() {
        if (window.announced() > 0) {
            window.expire(clock.nanoTime());
        }
    }

    private List<Document> forget(List<K> victims) {
        List<Document> documents = new ArrayList<>(victims.size());
        for (K victim : victims) {
            V resident = residents.remove(victim);
            if (resident == null) {
                throw new AssertionError("the policy evicted " + victim + ", which is not resident");
            }
            documents.add(resident.document());
            went(victim, resident);
        }
        return documents;
    }

    private void went(K key, V resident) {
        if (handover != null) {
            handover.went(key);
        }
        whenGone.accept(resident);
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
        went(key, resident);
        ledger.drop(resident.document(), bytes);
        return true;
    }

    /** Lets go of everything and takes nothing more; bytes of responses under way stay until these end. */
    public void close() {
        closed = true;
        handover = null;
        residents.forEach((key, resident) -> {
            policy.remove(key);
            resident.document().release();
        });
        residents.clear();
    }

    /**
     * Changes the capacity. Growing evicts nothing, shrinking what no longer fits.
     *
     * @param headroom bytes that the caller reserved in the ledger, {@link MemoryBounds#headroomToShrinkTo}; struck out
     *     here
     */
    public void resize(MemoryBounds bounds, long headroom) {
        List<K> victims = new ArrayList<>();
        policy.resize(bounds.residentBytes(), victims::add);
        List<Document> gone = forget(victims);
        stats.shrinkings.add(gone.size());
        ledger.rebound(gone, headroom, bounds);
        largestBytes = bounds.largestKeptBytes();
    }

    /** Lets no document in that is larger, whatever the bounds say. */
    void admitAtMost(long bytes) {
        largestBytes = bytes;
    }

    /**
     * Begins to put another policy in charge of the same residents. It learns them in the order in which the old one
     * would rather lose them, how often each was asked for, and what waits from the window; what the old one knew beyond
     * that is forgotten. Goes on with {@link Handover#sort} and {@link #move}. Until then the old one is in charge, and
     * the capacity must not change.
     *
     * @throws IllegalArgumentException if no policy has that name
     */
    Handover<K> handOver(String name) {
        var context = context(policy.capacityBytes(), residents.size());
        var begun = new Handover<>(name, policy, EvictionPolicies.create(name, context));
        handover = begun;
        return begun;
    }

    private PolicyContext<K> context(long capacityBytes, int expectedDocuments) {
        return new PolicyContext<>(capacityBytes, window, readCost, nameBytes, expectedDocuments);
    }

    /** Moves some of the residents to the next policy, and puts it in charge when it has all. Says whether it is. */
    boolean move(int most) {
        Handover<K> current = handover;
        if (current != null && current.move(most, residents)) {
            policy = current.next();
            policyName = current.name();
            handover = null;
        }
        return handover == null;
    }

    /** What reads cost, to be told of each; safe without the lock. */
    public MeasuredReadCost readCost() {
        return readCost;
    }

    /** Name of the policy in charge. */
    public String policy() {
        return policyName;
    }

    /** Every resident with its key, in no order. May be called without the lock: then it may miss what just came. */
    public void forEach(BiConsumer<? super K, ? super V> action) {
        residents.forEach(action);
    }

    /** The same, while others come and go: those that stay throughout are among them. */
    Set<Map.Entry<K, V>> all() {
        return Collections.unmodifiableSet(residents.entrySet());
    }

    /** How many are kept. */
    public int size() {
        return residents.size();
    }

    /** Counted requests that wait. */
    public int windowOccupancy() {
        return window.occupancy();
    }

    /** Requests that are believed to wait at distributors. */
    public int announcedOccupancy() {
        expireAnnounced();
        return window.announced();
    }
}
