// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.Watchdog;
import org.jspecify.annotations.Nullable;

/**
 * Watches that a request's body comes in while it is the client's turn: at least {@code min-progress} bytes within each
 * idle timeout. A byte now and then would otherwise hold a connection to a backend for as long as the client likes. Once
 * the backend has begun to answer, the two may be talking, and any byte will do. Confined to its event loop.
 */
final class BodyWatch {
    private final Worker worker;
    private final Watchdog watch;
    private @Nullable Pool pool;
    private boolean expecting;
    private long least;
    private long came;

    /** Watches nothing yet. */
    BodyWatch(Worker worker, Runnable onTooSlow) {
        this.worker = worker;
        this.watch = new Watchdog(onTooSlow);
    }

    /** A request begins, which goes to that pool. */
    void begin(Pool to) {
        stop();
        pool = to;
        least = worker.settings().minProgressBytes();
    }

    /** The backend has begun to answer. */
    void answered() {
        least = 0;
    }

    /** It is the client's turn to send. */
    void expect() {
        Pool to = pool;
        if (!expecting && to != null) {
            expecting = true;
            came = 0;
            watch.arm(to.stalled().on(worker).requests());
        }
    }

    void came(long bytes) {
        came += bytes;
        if (expecting && came >= least) {
            came = 0;
            watch.arm();
        }
    }

    /** It is not the client's turn. */
    void stop() {
        expecting = false;
        watch.disarm();
    }
}
