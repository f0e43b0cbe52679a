// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import java.util.concurrent.CompletableFuture;

/** A place where something stands until it is told to go on. Thread-safe. */
final class Hold {
    private final CompletableFuture<Void> reached = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /** Stands here. */
    void stand() {
        reached.complete(null);
        released.join();
    }

    /** Whether somebody stands, or stood, here. */
    boolean isReached() {
        return reached.isDone();
    }

    void release() {
        released.complete(null);
    }
}
