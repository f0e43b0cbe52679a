// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import java.util.concurrent.CompletableFuture;

/** Counts the requests of one server that are not answered yet, and tells when none is left. Thread-safe. */
final class InFlight {

    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private int count;
    private boolean draining;

    synchronized void begin() {
        count++;
    }

    synchronized boolean draining() {
        return draining;
    }

    synchronized void end() {
        count--;
        completeIfDrained();
    }

    synchronized int count() {
        return count;
    }

    synchronized CompletableFuture<Void> drained() {
        draining = true;
        completeIfDrained();
        return drained;
    }

    private void completeIfDrained() {
        if (draining && count == 0) {
            drained.complete(null);
        }
    }
}
