// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Leadership;
import io.albm.core.node.Role;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Tells the tail of a process that has just started the epoch of the election. What the process before it has promised is
 * forgotten, but to no higher epoch than there is now.
 */
final class TailOpening {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private TailOpening() {}

    /** @param over turns true when the process ends; until then it is tried again */
    static void open(TableTail tail, CoordinationStore store, Delay delay, BooleanSupplier over) {
        epoch(store).whenComplete((epoch, failure) -> {
            if (failure == null) {
                tail.open(epoch);
            } else if (!over.getAsBoolean()) {
                delay.after(PAUSE, () -> open(tail, store, delay, over));
            }
        });
    }

    private static CompletableFuture<Long> epoch(CoordinationStore store) {
        return Barrier.pass(store)
                .thenCompose(nothing -> store.read(Leadership.epochPath(Role.STORAGE_NODE)))
                .thenApply(found -> found.map(node -> (long) node.version()).orElse(0L));
    }
}
