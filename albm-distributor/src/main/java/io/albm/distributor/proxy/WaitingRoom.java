// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.time.MonotonicClock;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.BackendChooser;
import io.albm.distributor.proxy.ProxyStats.Event;
import io.albm.distributor.routing.AdmissionQueue;
import io.albm.distributor.routing.AdmissionQueue.Verdict;
import io.albm.distributor.routing.RoutedRequest;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Where the requests of all event loops wait for a backend of one pool, for one of two reasons: every backend has as many
 * requests as it may have, or, under a policy that sizes admission by cost, every one is too tight for this request.
 *
 * <p><b>One room for all loops.</b> A place that becomes free on one loop may be what a request of another loop waits for.
 * With a room per loop the loop that made the place would take it, again and again, while the other starves; or the other
 * would have to be woken to look, and all would look at once. Here whoever ends a request admits the next one, whichever
 * loop that belongs to: it picks a backend in the name of the request that is first in line, takes the place there, and
 * hands it over. Nobody is woken for nothing, and the line is one line: by priority, then by age.
 *
 * <p><b>Nobody waits while there is a place.</b> A request stands in line before it asks for the last time, and whoever
 * gives a place back looks for the line after that; so one of the two sees the other. Changes that end no request, such
 * as a backend that comes up or a new report of a host, are seen within {@value #TICK_MILLIS} ms.
 *
 * <p><b>Nobody overtakes.</b> While somebody waits for a place, a request of the same or a lower priority that comes gets
 * in line without asking. Those that are too costly for now ({@link Backend#WAIT}) have a line of their own, so that
 * cheap ones pass them.
 *
 * <p><b>No policy waits for another.</b> Frontends over one pool may pick by policies of their own, and a backend that is no
 * good to one of them may serve another. So it is remembered by policy that every backend is full, and who picks by that
 * policy is passed over without being asked ({@link WaitingLine}). For the same reason a line that is full does not turn away who
 * comes by another policy than all who wait for a place: he is asked for, alone.
 *
 * <p><b>Costs.</b> While nobody waits, one volatile read per request and two per end. Otherwise a lock that is held for some
 * picks: by policy one when every backend is full and a few for requests that are tried again, and {@link AdmissionQueue}'s
 * refusals per class of those that are too costly. Who is passed over costs a look into a map, and only while somebody behind
 * him may find a place. Who leaves is looked for along the line.
 *
 * <p>Thread-safe.
 */
final class WaitingRoom {
    private static final long TICK_MILLIS = 10;
    private static final int ATTEMPTS = 64;
    private static final String FULL = "every backend has as many requests as it may have";
    private static final String TIGHT = "every backend is tight";

    private final ProxyStats stats;
    private final MonotonicClock clock;
    private final Consumer<Duration> dropStalled;
    private int capacity;
    private Duration timeout;
    private final RandomGenerator random = new SplittableRandom();
    private final Set<BackendChooser> full = new HashSet<>();
    private final WaitingLine forPlace;
    private final WaitingLine forRoom;
    private final List<Guest> movers = new ArrayList<>();
    private final AtomicBoolean planned = new AtomicBoolean();
    private boolean ticking;
    private int mostWaiting;
    private volatile int waiting;
    private volatile int firstClass = WaitingLine.CLASSES;

    /**
     * An empty room.
     *
     * @param dropStalled takes a place from a client that has moved nothing for that long; asked for at each tick while
     *     somebody waits for a place, whichever it is
     * @param capacity how many may wait
     * @param timeout how long one may wait
     */
    WaitingRoom(
            ProxyStats stats, MonotonicClock clock, Consumer<Duration> dropStalled, int capacity, Duration timeout) {
        this.stats = stats;
        this.clock = clock;
        this.dropStalled = dropStalled;
        this.capacity = capacity;
        this.timeout = timeout;
        this.forPlace = new WaitingLine(full, capacity, timeout);
        this.forRoom = new WaitingLine(full, capacity, timeout);
    }

    /** Lets so many wait for so long from now on. */
    synchronized void resize(int newCapacity, Duration newTimeout) {
        capacity = newCapacity;
        timeout = newTimeout;
        forPlace.resize(newCapacity, newTimeout);
        forRoom.resize(newCapacity, newTimeout);
    }

    /** How many wait. */
    int waiting() {
        return waiting;
    }

    /** The most that ever waited at once. */
    synchronized int mostWaiting() {
        return mostWaiting;
    }

    /**
     * Takes a place at a backend, unless somebody who goes first waits for one.
     *
     * @param chance where chance comes from, owned by the calling thread
     * @return the backend at which the place is taken; null, {@link Backend#WAIT} or {@link Backend#FULL} as
     *     {@link BackendChooser#choose}
     */
    @Nullable
    Backend take(Guest guest, RandomGenerator chance) {
        return firstClass <= WaitingLine.rank(guest) ? Backend.FULL : take(guest, guest, chance);
    }

    /** Two loops may pick the last place at the same moment; the one that does not get it asks again. */
    private @Nullable Backend take(Guest guest, RoutedRequest asking, RandomGenerator chance) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Backend next = guest.chooser().choose(asking, chance);
            if (next == null || next == Backend.WAIT || next == Backend.FULL || guest.reserve(next)) {
                return next;
            }
        }
        return Backend.FULL;
    }

    /** Lets somebody wait for whom {@link #take} has found no place. What comes of it, he is told later. */
    void enter(Guest guest) {
        boolean seated;
        synchronized (this) {
            seated = sit(guest);
            tick(guest.loop());
        }
        if (seated) {
            stats.note(Event.QUEUED);
        } else {
            stats.note(Event.QUEUE_FULL);
            guest.turnedAway(FULL + " or is too tight, and too many requests wait already");
        }
    }

    private boolean sit(Guest guest) {
        if (waiting >= capacity) {
            return !forPlace.hasFirstTimers(guest.chooser()) && goes(guest, take(guest, guest, random));
        }
        forPlace.add(guest);
        count();
        turn();
        return true;
    }

    /**
     * Forgets somebody who went away.
     *
     * @return false if that is too late: he is about to be told that he is admitted, and gives the place back, or that he
     *     is turned away
     */
    synchronized boolean leave(Guest guest) {
        boolean waited = forPlace.remove(guest) || forRoom.remove(guest);
        if (waited) {
            count();
        }
        return waited;
    }

    /** A request has ended, so that there may be room: looks once this loop is done with what it is about. */
    void roomMade(EventExecutor loop) {
        if (waiting > 0 && planned.compareAndSet(false, true)) {
            loop.execute(() -> {
                planned.set(false);
                look();
            });
        }
    }

    private synchronized void look() {
        turn();
    }

    private void turn() {
        long now = clock.nanoTime();
        full.clear();
        forPlace.turn(now, guest -> ask(guest, Backend.FULL, now), guest -> timeOut(guest, FULL));
        move(forRoom);
        forRoom.turn(now, guest -> ask(guest, Backend.WAIT, now), guest -> timeOut(guest, TIGHT));
        move(forPlace);
        count();
    }

    /**
     * Asks in the name of one who waits because of that. What his policy says of the backends holds for all of that policy
     * and for nobody else; what it says to one whom a backend has failed holds for him alone.
     */
    private Verdict ask(Guest guest, Backend because, long now) {
        Backend answer = take(guest, new Later(guest, now), random);
        if (answer == Backend.FULL && !guest.isRetry()) {
            full.add(guest.chooser());
        }
        if (answer == because) {
            return answer == Backend.FULL ? Verdict.PASSED_OVER : Verdict.REFUSED;
        }
        if (!goes(guest, answer)) {
            movers.add(guest);
        }
        return Verdict.GOES;
    }

    /** Whether that answer is an end of his waiting, which he is told then. */
    private static boolean goes(Guest guest, @Nullable Backend answer) {
        if (answer == Backend.WAIT || answer == Backend.FULL) {
            return false;
        }
        guest.loop().execute(() -> guest.admitted(answer));
        return true;
    }

    private void move(WaitingLine to) {
        movers.forEach(to::add);
        movers.clear();
    }

    private void timeOut(Guest guest, String why) {
        stats.note(Event.QUEUE_TIMEOUT);
        guest.loop().execute(() -> guest.turnedAway(why + ", and no room was made within " + timeout));
    }

    private void count() {
        waiting = forPlace.size() + forRoom.size();
        mostWaiting = Math.max(mostWaiting, waiting);
        firstClass = forPlace.firstClass();
    }

    private void tick(EventExecutor loop) {
        if (!ticking && waiting > 0) {
            ticking = true;
            var _ = loop.schedule(() -> ticked(loop), TICK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Whoever still waits then for any place is waiting for those, too, who let a backend wait: they have half of what he has.
     */
    private synchronized void ticked(EventExecutor loop) {
        ticking = false;
        turn();
        if (forPlace.hasFirstTimers()) {
            dropStalled.accept(timeout.dividedBy(2));
        }
        tick(loop);
    }

    /** Somebody who waits, asked by whatever loop it is, whose clock is not his. */
    private record Later(Guest guest, long nowNanos) implements RoutedRequest {
        @Override
        public long hash() {
            return guest.hash();
        }

        @Override
        public int route() {
            return guest.route();
        }

        @Override
        public boolean tried(String backendId) {
            return guest.tried(backendId);
        }
    }
}
