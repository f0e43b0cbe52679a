// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.WatchdogQueue;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The clients that hold a place at a backend of one pool and could move something but do not: whose request's body is
 * awaited, or who take nothing of what waits for them. While others wait for a place, the event loops let one after the other
 * go, by turns, each the one that has been stalled for longest, so that clients that are slow on purpose keep nobody out. A
 * tunnel in which both sides are
 * silent is not stalled: nobody knows whose turn it is.
 *
 * <p>Costs nothing while nobody stalls: a client comes here when its other side has to wait for it. Thread-safe.
 */
final class StalledClients {
    private final Map<Worker, OnLoop> byWorker = new ConcurrentHashMap<>();
    private final Queue<OnLoop> inTurn = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean asking = new AtomicBoolean();

    /** Those of one event loop, in the order in which they moved last. Confined to it. */
    static final class OnLoop {
        private final Worker worker;
        private final WatchdogQueue requests;
        private final WatchdogQueue tunnels;

        private OnLoop(Worker worker) {
            this.worker = worker;
            this.requests = worker.timeouts(worker.settings().idleTimeout());
            this.tunnels = worker.timeouts(worker.settings().tunnelTimeout());
        }

        /** For clients of which a request is under way. */
        WatchdogQueue requests() {
            return requests;
        }

        /** For clients that have a tunnel. */
        WatchdogQueue tunnels() {
            return tunnels;
        }

        private boolean dropFirst(Duration patience) {
            worker.clock().tick();
            return requests.fireFirst(patience) || tunnels.fireFirst(patience);
        }
    }

    /** Those of that worker's event loop; asked for there. */
    OnLoop on(Worker worker) {
        return byWorker.computeIfAbsent(worker, this::opened);
    }

    private OnLoop opened(Worker worker) {
        var stalled = new OnLoop(worker);
        inTurn.add(stalled);
        return stalled;
    }

    /** Has one let go that has moved nothing for that long, by the next event loop that has one, unless that is going on. */
    void dropOne(Duration patience) {
        ask(inTurn.size(), patience);
    }

    private void ask(int loops, Duration patience) {
        if (loops > 0 && asking.compareAndSet(false, true)) {
            OnLoop next = inTurn.remove();
            inTurn.add(next);
            next.worker.execute(() -> {
                if (!drops(next, patience)) {
                    ask(loops - 1, patience);
                }
            });
        }
    }

    private boolean drops(OnLoop stalled, Duration patience) {
        try {
            return stalled.dropFirst(patience);
        } finally {
            asking.set(false);
        }
    }
}
