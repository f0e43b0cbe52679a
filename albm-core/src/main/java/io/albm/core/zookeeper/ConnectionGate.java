// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.zookeeper.ZooKeeperFailure.ConnectionBroke;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Where calls wait while there is no connection, so that the moment in which a client moves from one ZooKeeper server to
 * another fails nobody. Bounded in number and time: a call beyond either fails. Thread-safe.
 */
final class ConnectionGate {
    private static final int WAITING_AT_MOST = 1000;

    private final Map<Long, CompletableFuture<Void>> waiting = new LinkedHashMap<>();
    private long lastTicket;
    private volatile boolean open;

    boolean isOpen() {
        return open;
    }

    CompletableFuture<Void> pass(Duration patience) {
        CompletableFuture<Void> passed = new CompletableFuture<>();
        long ticket;
        synchronized (waiting) {
            if (open) {
                return CompletableFuture.completedFuture(null);
            }
            if (waiting.size() >= WAITING_AT_MOST) {
                return CompletableFuture.failedFuture(new ConnectionBroke(
                        "no connection to ZooKeeper, and " + WAITING_AT_MOST + " calls wait for one"));
            }
            ticket = ++lastTicket;
            waiting.put(ticket, passed);
        }
        return passed.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).exceptionally(timeout -> {
            leave(ticket);
            throw new ConnectionBroke("no connection to ZooKeeper for " + patience.toMillis() + " ms");
        });
    }

    private void leave(long ticket) {
        synchronized (waiting) {
            waiting.remove(ticket);
        }
    }

    void open() {
        List<CompletableFuture<Void>> admitted;
        synchronized (waiting) {
            open = true;
            admitted = List.copyOf(waiting.values());
            waiting.clear();
        }
        admitted.forEach(passed -> passed.complete(null));
    }

    void shut() {
        open = false;
    }
}
