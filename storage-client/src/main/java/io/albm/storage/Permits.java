// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Bounds what the asynchronous steps that are under way take together, such as bytes of memory, wherever they come from; others
 * wait in the order in which they came, as many as their callers start. Thread-safe.
 */
public final class Permits {
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private final long all;
    private long free;

    private record Waiting(long cost, CompletableFuture<Void> turn) {}

    /** @param all that there is to be taken, at least 1 */
    public Permits(long all) {
        this.all = all;
        this.free = all;
    }

    /**
     * Runs a step when there is room for it. One that takes more than there is runs alone.
     *
     * @param cost what it takes until it ends, at least 0
     */
    public <T> CompletableFuture<T> run(long cost, Supplier<CompletableFuture<T>> step) {
        long taken = Math.min(cost, all);
        return acquire(taken).thenCompose(nothing -> step.get()).whenComplete((result, failure) -> release(taken));
    }

    private synchronized CompletableFuture<Void> acquire(long cost) {
        if (waiting.isEmpty() && cost <= free) {
            free -= cost;
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> turn = new CompletableFuture<>();
        waiting.add(new Waiting(cost, turn));
        return turn;
    }

    private void release(long cost) {
        next(cost).forEach(turn -> turn.complete(null));
    }

    /** Those whose turn it is when so much more is free. */
    private synchronized List<CompletableFuture<Void>> next(long freed) {
        free += freed;
        List<CompletableFuture<Void>> next = new ArrayList<>();
        for (Waiting first = waiting.peek(); first != null && first.cost() <= free; first = waiting.peek()) {
            free -= first.cost();
            next.add(first.turn());
            waiting.remove();
        }
        return next;
    }
}
