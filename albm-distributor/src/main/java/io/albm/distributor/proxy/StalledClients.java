// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The clients that hold a place at a backend of one pool and could move something but do not: whose request's body is
 * awaited, or who take nothing of what waits for them. While others wait for a place, each event loop lets the one go that
 * has been stalled for longest, so that clients that are slow on purpose keep nobody out. A tunnel in which both sides are
 * silent is not stalled: nobody knows whose turn it is.
 *
 * <p>Costs nothing while nobody stalls: a client comes here when its other side has to wait for it. Thread-safe.
 */
final class StalledClients {
    private final Map<Worker, OnLoop> byWorker = new ConcurrentHashMap<>();

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

        private void dropFirst(Duration patience) {
            worker.clock().tick();
            if (!requests.fireFirst(patience)) {
                tunnels.fireFirst(patience);
            }
        }
    }

    /** Those of that worker's event loop; asked for there. */
    OnLoop on(Worker worker) {
        return byWorker.computeIfAbsent(worker, OnLoop::new);
    }

    /** Has each event loop let one go, if it has moved nothing for that long. */
    void dropOneEach(Duration patience) {
        byWorker.forEach((worker, stalled) -> worker.execute(() -> stalled.dropFirst(patience)));
    }
}
