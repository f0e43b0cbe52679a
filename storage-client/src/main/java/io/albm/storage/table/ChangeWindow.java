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
import java.util.stream.LongStream;
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

    private final Deque<Entering> waiting = new ArrayDeque<>();
    private Place durable = new Place(0, 0);
    private long last;
    private long doubtful;

    /** A batch of the log, as the leader of an epoch knows it. */
    private record Place(long epoch, long position) {
        boolean isBehind(Place other) {
            return epoch == other.epoch && position > other.position;
        }
    }

    private record Entering(int count, LongConsumer changes) {}

    ChangeWindow(String client) {
        this.client = client;
    }

    String client() {
        return client;
    }

    /**
     * Gives changes their numbers, now or when there is room for all of them.
     *
     * @param changes gets the first number; the others follow it
     * @return false if too many wait already
     */
    boolean enter(int count, LongConsumer changes) {
        synchronized (this) {
            if (waiting.size() >= MAX_WAITING) {
                return false;
            }
            waiting.add(new Entering(count, changes));
        }
        admit();
        return true;
    }

    /** Changes from a first number on need their answer no more. */
    void leave(long first, int count) {
        synchronized (this) {
            underWay.subSet(first, first + count).clear();
        }
        admit();
    }

    /** Changes from a first number on have their answer, which may be lost until the log is durable up to it. */
    void leave(long first, int count, TableReply reply) {
        synchronized (this) {
            underWay.subSet(first, first + count).clear();
            Place now = new Place(reply.epoch(), reply.durable());
            if (now.epoch() > durable.epoch() || now.isBehind(durable)) {
                durable = now;
                undurable.values().removeIf(this::isDurable);
            }
            Place place = new Place(reply.epoch(), reply.position());
            if (!isDurable(place)) {
                LongStream.range(first, first + count).forEach(number -> undurable.put(number, place));
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

    private record Admitted(LongConsumer changes, long first) {}

    private void admit() {
        List<Admitted> admitted = new ArrayList<>();
        for (Admitted next = next(); next != null; next = next()) {
            admitted.add(next);
        }
        admitted.forEach(next -> next.changes().accept(next.first()));
    }

    private synchronized @Nullable Admitted next() {
        Entering next = waiting.peek();
        if (next == null || last + next.count() - settled() > TableMachine.MAX_UNSETTLED) {
            return null;
        }
        waiting.remove();
        long first = last + 1;
        while (last < first + next.count() - 1) {
            underWay.add(++last);
        }
        return new Admitted(next.changes(), first);
    }
}
