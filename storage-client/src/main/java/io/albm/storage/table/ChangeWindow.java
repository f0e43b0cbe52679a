// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one client session's changes. The leader keeps the outcomes of {@value TableMachine#MAX_UNSETTLED} changes, so
 * the newest may be that far from the oldest that is under way, or answered and not known to be durable; what does not fit
 * waits. Thread-safe.
 */
final class ChangeWindow {
    static final int MAX_WAITING = 65_536;

    private final String client;
    private final NavigableSet<Long> underWay = new TreeSet<>();
    /** The changes that were answered early, and are not known to be durable. */
    private final NavigableMap<Long, Place> undurable = new TreeMap<>();

    private final Deque<LongConsumer> waiting = new ArrayDeque<>();
    private Place durable = new Place(0, 0);
    private long last;
    private long doubtful;

    /** A batch of the log, as the leader of an epoch knows it. */
    private record Place(long epoch, long position) {
        boolean isBehind(Place other) {
            return epoch == other.epoch && position > other.position;
        }
    }

    ChangeWindow(String client) {
        this.client = client;
    }

    String client() {
        return client;
    }

    /**
     * Gives a change its number, now or when there is room.
     *
     * @return false if too many wait already
     */
    boolean enter(LongConsumer change) {
        synchronized (this) {
            if (waiting.size() >= MAX_WAITING) {
                return false;
            }
            waiting.add(change);
        }
        admit();
        return true;
    }

    /** The change needs its answer no more. */
    void leave(long number) {
        synchronized (this) {
            underWay.remove(number);
        }
        admit();
    }

    /** The change has its answer, which may be lost until the log is durable up to it. */
    void leave(long number, TableReply reply) {
        synchronized (this) {
            underWay.remove(number);
            Place now = new Place(reply.epoch(), reply.durable());
            if (now.epoch() > durable.epoch() || now.isBehind(durable)) {
                durable = now;
                undurable.values().removeIf(this::isDurable);
            }
            Place place = new Place(reply.epoch(), reply.position());
            if (!isDurable(place)) {
                undurable.put(number, place);
            }
        }
        admit();
    }

    private boolean isDurable(Place place) {
        return place.epoch() == durable.epoch() && !place.isBehind(durable);
    }

    /** The changes that were answered and are not known to be durable. */
    synchronized List<Long> undurable() {
        return List.copyOf(undurable.keySet());
    }

    /** Whether some of them were answered by a leader before the present one, who tells no more of them. */
    synchronized boolean isUnproven() {
        return !undurable.isEmpty() && undurable.firstEntry().getValue().epoch() < durable.epoch();
    }

    /** These are not to be asked for again. */
    void settle(List<Long> numbers) {
        synchronized (this) {
            numbers.forEach(undurable::remove);
        }
        admit();
    }

    /** No change with this number or a lower one is under way, or not known to be durable. */
    synchronized long settled() {
        long oldest = underWay.isEmpty() ? last + 1 : underWay.first();
        return Math.min(oldest, undurable.isEmpty() ? last + 1 : undurable.firstKey()) - 1;
    }

    /** Nobody knows how a change went: it may be made yet, until all numbers up to now are settled. */
    synchronized void doubt() {
        doubtful = last;
    }

    /** Whether a change may be made yet that the client has given up. */
    synchronized boolean isInDoubt() {
        return settled() < doubtful;
    }

    private record Admitted(LongConsumer change, long number) {}

    private void admit() {
        List<Admitted> admitted = new ArrayList<>();
        for (Admitted next = next(); next != null; next = next()) {
            admitted.add(next);
        }
        admitted.forEach(next -> next.change().accept(next.number()));
    }

    private synchronized @Nullable Admitted next() {
        if (waiting.isEmpty() || last - settled() >= TableMachine.MAX_UNSETTLED) {
            return null;
        }
        underWay.add(++last);
        return new Admitted(waiting.remove(), last);
    }
}
