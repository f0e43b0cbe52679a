// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many asynchronous steps are under way, wherever they come from; others wait in the order in which they came, as many
 * as their callers start. Thread-safe.
 */
final class Permits {
    private final Queue<CompletableFuture<Void>> waiting = new ArrayDeque<>();
    private int free;

    Permits(int count) {
        free = count;
    }

    /** Runs a step when it may. */
    <T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> step) {
        return acquire().thenCompose(nothing -> step.get()).whenComplete((result, failure) -> release());
    }

    private synchronized CompletableFuture<Void> acquire() {
        if (free > 0) {
            free--;
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> turn = new CompletableFuture<>();
        waiting.add(turn);
        return turn;
    }

    private void release() {
        CompletableFuture<Void> next = next();
        if (next != null) {
            next.complete(null);
        }
    }

    private synchronized @Nullable CompletableFuture<Void> next() {
        CompletableFuture<Void> next = waiting.poll();
        if (next == null) {
            free++;
        }
        return next;
    }
}
