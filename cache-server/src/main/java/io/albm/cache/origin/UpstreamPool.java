// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.core.net.LoopClock;
import io.albm.core.net.Watchdog;
import io.albm.core.net.WatchdogQueue;
import io.albm.core.time.MonotonicClock;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to the origin, a bounded number. The one used last is lent first, so that those which
 * a quiet hour does not need grow old and are closed. Where all are lent, a bounded number of requests wait, first come
 * first served, each for at most the response timeout; one more is refused. Confined to its event loop.
 */
final class UpstreamPool {

    private final class Waiting {
        private final Upstream upstream;
        private final boolean answersHead;
        private final Watchdog watch = new Watchdog(responseTimeouts, this::late);

        private Waiting(Upstream upstream, boolean answersHead) {
            this.upstream = upstream;
            this.answersHead = answersHead;
        }

        private void late() {
            waiting.remove(this);
            upstream.failed(UpstreamFailure.late("no connection was free for " + settings.responseTimeout()));
        }
    }

    private final OriginSettings settings;
    private final Connector connector;
    private final LoopClock clock;
    private final WatchdogQueue responseTimeouts;
    private final WatchdogQueue idleTimeouts;
    private final ArrayDeque<UpstreamConnection> idle = new ArrayDeque<>();
    private final Set<UpstreamConnection> open = new HashSet<>();
    private final Set<Waiting> waiting = new LinkedHashSet<>();
    private int connecting;

    /** @param connector makes channels on {@code loop} */
    UpstreamPool(OriginSettings settings, EventLoop loop, Connector connector, MonotonicClock clock) {
        this.settings = settings;
        this.connector = connector;
        this.clock = new LoopClock(clock);
        responseTimeouts = new WatchdogQueue(loop, this.clock, settings.responseTimeout());
        idleTimeouts = new WatchdogQueue(loop, this.clock, settings.idleTimeout());
    }

    OriginSettings settings() {
        return settings;
    }

    WatchdogQueue responseTimeouts() {
        return responseTimeouts;
    }

    WatchdogQueue idleTimeouts() {
        return idleTimeouts;
    }

    void tick() {
        clock.tick();
    }

    /**
     * Lends a connection, now or later; {@link Upstream#failed} is called if none can be had.
     *
     * @param answersHead whether the request will be a HEAD
     */
    void borrow(Upstream upstream, boolean answersHead) {
        tick();
        UpstreamConnection newest = newestIdle();
        if (newest != null) {
            newest.lend(upstream, answersHead);
        } else if (open.size() + connecting < settings.connections()) {
            connect(upstream, answersHead);
        } else if (waiting.size() < settings.queuedRequests()) {
            Waiting last = new Waiting(upstream, answersHead);
            waiting.add(last);
            last.watch.arm();
        } else {
            upstream.failed(UpstreamFailure.busy());
        }
    }

    /** Takes a request out of the queue, if it is there. */
    void cancel(Upstream upstream) {
        waiting.removeIf(one -> one.upstream.equals(upstream) && stopped(one));
    }

    private static boolean stopped(Waiting one) {
        one.watch.disarm();
        return true;
    }

    /** Sends a request again, on a connection that nobody used before. */
    void repeat(Upstream upstream, boolean answersHead) {
        connect(upstream, answersHead);
    }

    private @Nullable UpstreamConnection newestIdle() {
        UpstreamConnection connection = idle.pollLast();
        while (connection != null && !connection.isActive()) {
            connection = idle.pollLast();
        }
        return connection;
    }

    private void connect(Upstream upstream, boolean answersHead) {
        UpstreamConnection connection = new UpstreamConnection(this);
        Connector.Asker asker = new Connector.Asker() {
            @Override
            public void connected() {
                tick();
                connecting--;
                open.add(connection);
                connection.lend(upstream, answersHead);
            }

            @Override
            public void failed(UpstreamFailure failure) {
                tick();
                connecting--;
                upstream.failed(failure);
                next();
            }
        };
        connecting++;
        try {
            connector.connect(connection, asker);
        } catch (RuntimeException e) {
            connecting--;
            upstream.failed(UpstreamFailure.unreachable(String.valueOf(e.getMessage())));
        }
    }

    /** A connection is free again. */
    void takeBack(UpstreamConnection connection) {
        idle.addLast(connection);
        next();
    }

    /** A connection is closed. */
    void forget(UpstreamConnection connection) {
        idle.remove(connection);
        if (open.remove(connection)) {
            next();
        }
    }

    private void next() {
        if (waiting.isEmpty() || (idle.isEmpty() && open.size() + connecting >= settings.connections())) {
            return;
        }
        Waiting first = waiting.iterator().next();
        waiting.remove(first);
        first.watch.disarm();
        borrow(first.upstream, first.answersHead);
    }

    /** Connections open now. */
    int connections() {
        return open.size();
    }
}
