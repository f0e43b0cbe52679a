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
    private final AdmissionQueue<Exchange> queue;
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

    /** Lets an exchange wait until {@link Exchange#tryToGo}, {@link Exchange#waitedTooLong} or {@link Exchange#foundNoSeat}. */
    void enter(Exchange exchange) {
        if (turning) {
            loop.execute(() -> enter(exchange));
        } else if (queue.offer(exchange, ONE_CLASS, clock.now())) {
            stats.note(Event.QUEUED);
            tick();
        } else {
            stats.note(Event.QUEUE_FULL);
            exchange.foundNoSeat();
        }
    }

    /** Forgets an exchange whose client has gone. */
    void leave(Exchange exchange) {
        if (turning) {
            loop.execute(() -> leave(exchange));
        } else {
            queue.remove(exchange);
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
        queue.turn(clock.tick(), Exchange::tryToGo, this::timeOut);
        turning = false;
    }

    private void timeOut(Exchange exchange) {
        stats.note(Event.QUEUE_TIMEOUT);
        exchange.waitedTooLong();
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
