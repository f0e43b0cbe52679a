// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one client session's changes. The leader keeps the outcomes of {@value TableMachine#MAX_UNSETTLED} changes, so
 * the newest may be that far from the oldest under way; what does not fit waits. Thread-safe.
 */
final class ChangeWindow {
    static final int MAX_WAITING = 65_536;

    private final String client;
    private final NavigableSet<Long> underWay = new TreeSet<>();
    private final Deque<LongConsumer> waiting = new ArrayDeque<>();
    private long last;
    private long doubtful;

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

    /** No change with this number or a lower one is under way. */
    synchronized long settled() {
        return underWay.isEmpty() ? last : underWay.first() - 1;
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
