// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.StorageException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for durability on behalf of many callers: one is under way, and all who come meanwhile share the next. Remembers for
 * good that answers were lost. Thread-safe.
 */
final class TableSyncs {
    private final Supplier<CompletableFuture<Void>> sync;
    private @Nullable CompletableFuture<Void> underWay;
    private @Nullable CompletableFuture<Void> next;
    private volatile StorageException.@Nullable AnswersLost lost;

    /** @param sync waits until all is durable that was answered before it was called */
    TableSyncs(Supplier<CompletableFuture<Void>> sync) {
        this.sync = sync;
    }

    /** From now on every sync fails. */
    void lose(String why) {
        lost = new StorageException.AnswersLost(why);
    }

    CompletableFuture<Void> sync() {
        CompletableFuture<Void> result = new CompletableFuture<>();
        synchronized (this) {
            if (underWay != null) {
                next = next == null ? result : next;
                return next.copy();
            }
            underWay = result;
        }
        run(result);
        return result.copy();
    }

    private void run(CompletableFuture<Void> result) {
        sync.get().whenComplete((nothing, failure) -> {
            CompletableFuture<Void> waiting = turn();
            StorageException.AnswersLost loss = lost;
            if (loss != null) {
                result.completeExceptionally(loss);
            } else if (failure != null) {
                result.completeExceptionally(FencedStore.cause(failure));
            } else {
                result.complete(null);
            }
            if (waiting != null) {
                run(waiting);
            }
        });
    }

    private synchronized @Nullable CompletableFuture<Void> turn() {
        underWay = next;
        next = null;
        return underWay;
    }
}
