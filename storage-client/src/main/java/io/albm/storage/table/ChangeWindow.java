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
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one client session's changes. The leader keeps the outcomes of {@value TableMachine#MAX_UNSETTLED} changes, so
 * the newest may be that far from the oldest that is under way, or answered and not known to be durable; what does not fit
 * waits. When only answers that are not known to be durable are in its way, nothing would tell of them: then the window asks.
 * Thread-safe.
 */
final class ChangeWindow {
    static final int MAX_WAITING = 65_536;

    private final String client;
    private final Supplier<CompletableFuture<Void>> sync;
    private final NavigableSet<Long> underWay = new TreeSet<>();
    /** The changes that were answered early, and are not known to be durable. */
    private final NavigableMap<Long, Place> undurable = new TreeMap<>();

    private final Deque<Entering> waiting = new ArrayDeque<>();
    private Place durable = new Place(0, 0);
    private long last;
    private long doubtful;
    private boolean over;

    /** A batch of the log, as the leader of an epoch knows it. */
    private record Place(long epoch, long position) {
        boolean isBehind(Place other) {
            return epoch == other.epoch && position > other.position;
        }
    }

    private record Entering(int count, LongConsumer changes) {}

    /** @param sync settles what is {@link #undurable}, once it is known to be durable */
    ChangeWindow(String client, Supplier<CompletableFuture<Void>> sync) {
        this.client = client;
        this.sync = sync;
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

    /** The session is over: nothing waits any more, since the leader refuses all changes. */
    void end() {
        synchronized (this) {
            over = true;
        }
        admit();
    }

    private record Admitted(LongConsumer changes, long first) {}

    private void admit() {
        admit(TableMachine.MAX_UNSETTLED);
        if (isStuck()) {
            sync.get().whenComplete((nothing, failure) -> {
                if (failure != null && isStuck()) {
                    // They fail as the sync did, or the leader is there again and says when there is room.
                    admit(Long.MAX_VALUE);
                }
            });
        }
    }

    /** @param most numbers that are not settled */
    private void admit(long most) {
        List<Admitted> admitted = new ArrayList<>();
        for (Admitted next = next(most); next != null; next = next(most)) {
            admitted.add(next);
        }
        admitted.forEach(next -> next.changes().accept(next.first()));
    }

    /** Whether something waits for room, and no answer is on its way that might make some. */
    private synchronized boolean isStuck() {
        return !waiting.isEmpty() && underWay.isEmpty();
    }

    private synchronized @Nullable Admitted next(long most) {
        Entering next = waiting.peek();
        if (next == null || (!over && last + next.count() - settled() > most)) {
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
