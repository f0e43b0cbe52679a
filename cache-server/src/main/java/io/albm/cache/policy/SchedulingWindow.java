// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests that a server holds and has not served yet (paper P2, section 2), by document.
 *
 * <p>Every request takes an arrival number, and while it waits it stands in the list of its document, oldest first.
 * Entering, leaving (in any order) and asking for a document's next arrival are O(1). The window is bounded: a request
 * beyond the limit runs like any other but is not counted, so that a flood costs the policy's foresight, not memory. One
 * that is answered at once has no place in a list, and nothing is allocated for it.
 *
 * <p>Requests that a distributor holds and announces stand apart ({@link AnnouncedRequests}): they may go elsewhere.
 *
 * <p>Not thread-safe: owned together with the {@link EvictionPolicy} that looks at it.
 */
public final class SchedulingWindow<K> {

    /** One request's place. Handed out by {@link #enter} and given back to {@link #leave} exactly once. */
    public static final class Ticket<K> {
        private final K key;
        private final long arrival;
        private final boolean counted;
        private boolean left;
        private @Nullable Ticket<K> older;
        private @Nullable Ticket<K> newer;

        private Ticket(K key, long arrival, boolean counted) {
            this.key = key;
            this.arrival = arrival;
            this.counted = counted;
        }

        /** The place of this request among all that ever arrived, from 0. */
        public long arrival() {
            return arrival;
        }

        /** Whether it was given back already. */
        public boolean hasLeft() {
            return left;
        }

        /** Whether the window had room for it. */
        public boolean isCounted() {
            return counted;
        }
    }

    private static final class Pending<K> {
        private @Nullable Ticket<K> oldest;
        private @Nullable Ticket<K> newest;
        private int count;
    }

    private final Map<K, Pending<K>> pendingByKey = new HashMap<>();
    private final AnnouncedRequests<K> announced;
    private final int limit;
    private int occupancy;
    private long arrivals;

    /**
     * A window of this server's requests alone.
     *
     * @param limit most requests counted at once, at least 1
     */
    public SchedulingWindow(int limit) {
        this(limit, 0);
    }

    /**
     * @param limit most requests counted at once, at least 1
     * @param announcedLimit most announced requests remembered at once, at least 0
     */
    public SchedulingWindow(int limit, int announcedLimit) {
        if (limit < 1) {
            throw new IllegalArgumentException("the window's limit is " + limit + "; expected at least 1");
        }
        this.limit = limit;
        this.announced = new AnnouncedRequests<>(announcedLimit);
    }

    /** Takes in a request that is answered at once and so never waits. */
    public void pass(K key) {
        announced.arrived(key, arrivals++);
    }

    /** Takes a request in. */
    public Ticket<K> enter(K key) {
        announced.arrived(key, arrivals);
        Ticket<K> ticket = new Ticket<>(key, arrivals++, occupancy < limit);
        if (ticket.counted) {
            occupancy++;
            append(pendingByKey.computeIfAbsent(key, absent -> new Pending<>()), ticket);
        }
        return ticket;
    }

    private void append(Pending<K> pending, Ticket<K> ticket) {
        Ticket<K> last = pending.newest;
        ticket.older = last;
        if (last == null) {
            pending.oldest = ticket;
        } else {
            last.newer = ticket;
        }
        pending.newest = ticket;
        pending.count++;
    }

    /**
     * Lets a request go: it was served, or it failed or was given up.
     *
     * @throws IllegalStateException if it left before
     */
    public void leave(Ticket<K> ticket) {
        if (ticket.left) {
            throw new IllegalStateException("request " + ticket.arrival + " left the window twice");
        }
        ticket.left = true;
        if (ticket.counted) {
            occupancy--;
            unlink(ticket);
        }
    }

    private void unlink(Ticket<K> ticket) {
        Pending<K> pending = pendingByKey.get(ticket.key);
        if (pending == null) {
            throw new IllegalArgumentException("request " + ticket.arrival + " is of another window");
        }
        Ticket<K> older = ticket.older;
        Ticket<K> newer = ticket.newer;
        if (older == null) {
            pending.oldest = newer;
        } else {
            older.newer = newer;
        }
        if (newer == null) {
            pending.newest = older;
        } else {
            newer.older = older;
        }
        if (--pending.count == 0) {
            pendingByKey.remove(ticket.key);
        }
    }

    /** How many counted requests wait for this document. */
    public int pending(K key) {
        Pending<K> pending = pendingByKey.get(key);
        return pending == null ? 0 : pending.count;
    }

    /** The arrival number of the oldest counted request that waits for this document, or -1 if none does. */
    public long nextArrival(K key) {
        Pending<K> pending = pendingByKey.get(key);
        return pending == null || pending.oldest == null ? -1 : pending.oldest.arrival;
    }

    /**
     * Notes a request that waits elsewhere and may come here.
     *
     * @param nowNanos time of the announcement, never before that of an earlier one
     * @return whether it is heeded
     */
    public boolean announce(K key, long nowNanos) {
        if (announced.areHeeded()) {
            announced.add(key, arrivals, nowNanos);
        }
        return announced.areHeeded();
    }

    /** Forgets announced requests that should have come by now. */
    public void expire(long nowNanos) {
        announced.expire(arrivals, nowNanos);
    }

    /**
     * In how many requests an announced one for this document is thought to come, over the chance that it comes; infinite if
     * none is announced.
     */
    public double announcedDistance(K key) {
        return announced.distance(key, arrivals, occupancy);
    }

    /** Announced requests that neither came nor were forgotten. */
    public int announced() {
        return announced.waiting();
    }

    /** How many requests ever entered, counted or not: the next one's arrival number. */
    public long arrivals() {
        return arrivals;
    }

    /** Counted requests that wait now. */
    public int occupancy() {
        return occupancy;
    }

    /** Most requests counted at once. */
    public int limit() {
        return limit;
    }
}
