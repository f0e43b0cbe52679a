// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the table remembers of a client so that each of its changes is made once: how those went whose answers the client may
 * not have.
 */
final class ClientSession {
    private final NavigableMap<Long, TableOutcome> unsettled = new TreeMap<>();
    private long settled;

    ClientSession() {}

    /** As {@link #saved} wrote it. */
    ClientSession(MachineLine.Session saved) {
        settled = saved.settled();
        unsettled.putAll(saved.unsettled());
    }

    boolean isSettled(long number) {
        return number <= settled;
    }

    /** How the change went, if it was made and is not settled. */
    @Nullable
    TableOutcome outcome(long number) {
        return unsettled.get(number);
    }

    /** How many outcomes are kept once {@code settled} is. */
    int unsettled(long settled) {
        return unsettled.tailMap(settled, false).size();
    }

    void record(long number, long settled, TableOutcome outcome) {
        this.settled = Math.max(this.settled, settled);
        unsettled.headMap(this.settled, true).clear();
        unsettled.put(number, outcome);
    }

    MachineLine.Session saved(String client) {
        return new MachineLine.Session(client, settled, Map.copyOf(unsettled));
    }
}
