// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.distributor.proxy.ProxyStats.Event;
import io.albm.distributor.routing.AdmissionQueue;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The requests of one event loop that every backend is too tight for. They are asked again when a request of this loop
 * ends and every 10 ms, which is soon enough for what a new report or a timeout changes.
 *
 * <p>Confined to its event loop. What comes or goes while the queue is being turned does so afterwards.
 */
final class WaitingRoom {
    private static final long TICK_MILLIS = 10;
    private static final int ONE_CLASS = 0;

    private final EventLoop loop;
    private final LoopClock clock;
    private final ProxyStats stats;
    private final AdmissionQueue<BackendSearch> queue;
    private boolean turning;
    private boolean ticking;
    private boolean planned;

    /**
     * An empty room.
     *
     * @param capacity how many may wait here
     * @param timeout how long one may wait
     */
    WaitingRoom(EventLoop loop, LoopClock clock, ProxyStats stats, int capacity, Duration timeout) {
        this.loop = loop;
        this.clock = clock;
        this.stats = stats;
        this.queue = new AdmissionQueue<>(1, capacity, timeout);
    }

    /** Lets a request wait until {@link BackendSearch#tryToGo}, {@code waitedTooLong} or {@code foundNoSeat}. */
    void enter(BackendSearch search) {
        if (turning) {
            loop.execute(() -> enter(search));
        } else if (queue.offer(search, ONE_CLASS, clock.now())) {
            stats.note(Event.QUEUED);
            tick();
        } else {
            stats.note(Event.QUEUE_FULL);
            search.foundNoSeat();
        }
    }

    /** Forgets a request whose client has gone. */
    void leave(BackendSearch search) {
        if (turning) {
            loop.execute(() -> leave(search));
        } else {
            queue.remove(search);
        }
    }

    /** A request has ended, so that there may be room. */
    void roomMade() {
        if (queue.size() > 0 && !planned) {
            planned = true;
            loop.execute(() -> {
                planned = false;
                turn();
            });
        }
    }

    private void turn() {
        turning = true;
        queue.turn(clock.tick(), BackendSearch::tryToGo, this::timeOut);
        turning = false;
    }

    private void timeOut(BackendSearch search) {
        stats.note(Event.QUEUE_TIMEOUT);
        search.waitedTooLong();
    }

    private void tick() {
        if (!ticking) {
            ticking = true;
            loop.schedule(this::ticked, TICK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void ticked() {
        ticking = false;
        turn();
        if (queue.size() > 0) {
            tick();
        }
    }
}
