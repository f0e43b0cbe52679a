// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Work that nobody waits for, as long as there is not too much of it. Thread-safe. */
final class Backlog {
    private static final int MOST = 1024;

    private final Map<Long, CompletableFuture<Void>> open = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    /** Takes work over, which must not fail. Completes at once; when the work is done if {@value #MOST} others are not. */
    CompletableFuture<Void> add(CompletableFuture<Void> work) {
        long number = last.incrementAndGet();
        open.put(number, work);
        work.whenComplete((nothing, failure) -> open.remove(number));
        return open.size() <= MOST ? CompletableFuture.completedFuture(null) : work;
    }

    /** Completes when all that has been taken over is done. */
    CompletableFuture<Void> all() {
        return CompletableFuture.allOf(open.values().toArray(CompletableFuture<?>[]::new));
    }
}
