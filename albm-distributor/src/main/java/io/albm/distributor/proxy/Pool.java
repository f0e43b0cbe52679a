// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.time.MonotonicClock;
import io.albm.distributor.stats.Traffic;
import java.time.Duration;

/** What the data path has of a pool beside its backends: the line of those who wait for one of them. Thread-safe. */
public final class Pool {
    private final StalledClients stalled = new StalledClients();
    private final WaitingRoom room;
    private final Announcements announcements = new Announcements();
    private final Traffic traffic = new Traffic();

    /**
     * A pool for which nobody waits.
     *
     * @param queueSize how many may wait
     * @param queueTimeout how long one may wait; then 503
     */
    public Pool(ProxyStats stats, MonotonicClock clock, int queueSize, Duration queueTimeout) {
        this.room = new WaitingRoom(stats, clock, stalled::dropOne, queueSize, queueTimeout);
    }

    /** Lets so many wait for so long from now on; of those who wait already, nobody is sent away for a smaller line. */
    public void queueBy(int size, Duration timeout) {
        room.resize(size, timeout);
    }

    /** Whether backends are told from now on what waits for one of them. */
    public void announceWaiting(boolean announces) {
        announcements.enable(announces);
    }

    /** How many wait now. */
    public int waiting() {
        return room.waiting();
    }

    /** The most that ever waited at once. */
    public int mostWaiting() {
        return room.mostWaiting();
    }

    /** What was answered in the name of the pool without a backend, and what backends that have left had done. */
    public Traffic traffic() {
        return traffic;
    }

    StalledClients stalled() {
        return stalled;
    }

    Announcements announcements() {
        return announcements;
    }

    WaitingRoom room() {
        return room;
    }
}
