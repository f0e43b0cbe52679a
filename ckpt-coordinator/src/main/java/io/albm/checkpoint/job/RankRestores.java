// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.control.RestoredState;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Restores of ranks' states on one host. All of a rank's write the same file, so a later one ends the one before, and begins
 * when that has ended: else what an abandoned recovery still fetches could come over a state that was checked already. For
 * one thread.
 */
final class RankRestores {
    /** Work that takes a while, on other threads. */
    @FunctionalInterface
    interface Restore {
        /**
         * Begins.
         *
         * @param goesOn false when a later one waits: this one is to fail soon
         */
        CompletableFuture<RestoredState> begin(BooleanSupplier goesOn);
    }

    private record Newest(AtomicBoolean goesOn, CompletableFuture<?> ended) {}

    private final Map<Integer, Newest> newest = new HashMap<>();

    /** Begins a restore of this rank when those before have ended; completes as it does. */
    CompletableFuture<RestoredState> next(int rank, Restore restore) {
        Newest before = newest.get(rank);
        if (before != null) {
            before.goesOn().set(false);
        }
        AtomicBoolean goesOn = new AtomicBoolean(true);
        CompletableFuture<?> turn = before == null ? CompletableFuture.completedFuture(null) : before.ended();
        CompletableFuture<RestoredState> restored = turn.thenCompose(_ -> restore.begin(goesOn::get));
        newest.put(rank, new Newest(goesOn, restored.handle((done, failure) -> failure == null)));
        return restored;
    }
}
