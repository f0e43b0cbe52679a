// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Watches that a request's body comes in while it is the client's turn: at least {@code min-progress} bytes within each
 * idle timeout. A byte now and then would otherwise hold a connection to a backend for as long as the client likes. Once
 * the backend has begun to answer, the two may be talking, and any byte of either will do.
 *
 * <p>A client that is certainly late may lose its place to those who wait for one. While it asks to be told to go on (RFC
 * 9110, 10.1.1), or talks with the backend, nobody knows whose turn it is, and it has the idle timeout in any case.
 *
 * <p>Confined to its event loop.
 */
final class BodyWatch {
    private final Worker worker;
    private final Watchdog watch;
    private @Nullable Pool pool;
    private boolean expecting;
    private boolean asksFirst;
    private boolean talking;
    private long least;
    private long came;

    /** Watches nothing yet. */
    BodyWatch(Worker worker, Runnable onTooSlow) {
        this.worker = worker;
        this.watch = new Watchdog(onTooSlow);
    }

    /**
     * A request begins.
     *
     * @param to the pool that it goes to
     * @param asks whether the client waits for a word before it sends
     */
    void begin(Pool to, boolean asks) {
        stop();
        pool = to;
        asksFirst = asks;
        talking = false;
        least = worker.settings().minProgressBytes();
    }

    /** The backend has begun to answer. */
    void answered() {
        least = 0;
        talking = true;
        startAnew();
    }

    /** The backend has sent some of its answer. */
    void heard() {
        startAnew();
    }

    /** The client has been told to go on. */
    void invited() {
        asksFirst = false;
        startAnew();
    }

    /** It is the client's turn to send, as far as one knows. */
    void expect() {
        if (!expecting) {
            expecting = true;
            startAnew();
        }
    }

    void came(long bytes) {
        came += bytes;
        if (asksFirst || came >= least) {
            asksFirst = false;
            startAnew();
        }
    }

    private void startAnew() {
        if (expecting) {
            came = 0;
            watch.arm(queue());
        }
    }

    private WatchdogQueue queue() {
        if (asksFirst || talking) {
            return worker.talkTimeouts();
        }
        return Objects.requireNonNull(pool, "no request has begun")
                .stalled()
                .on(worker)
                .requests();
    }

    /** It is not the client's turn. */
    void stop() {
        expecting = false;
        watch.disarm();
    }
}
