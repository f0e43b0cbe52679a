// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.Versioned;
import io.albm.core.sim.SimNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A process's way to a store whose disk is slow: what it commits is done later, and not at all if the process dies before. */
record SlowStore(CoordinationStore store, SimNode process, Supplier<Duration> delay) implements CoordinationStore {
    @Override
    public CompletableFuture<Void> commit(List<Operation> operations) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        process.after(
                delay.get(),
                "commit",
                () -> store.commit(operations).whenComplete((nothing, failure) -> {
                    if (failure == null) {
                        result.complete(null);
                    } else {
                        result.completeExceptionally(FencedStore.cause(failure));
                    }
                }));
        return result;
    }

    @Override
    public CompletableFuture<Optional<Versioned>> read(String path) {
        return store.read(path);
    }

    @Override
    public CompletableFuture<List<String>> children(String path) {
        return store.children(path);
    }

    @Override
    public Subscription watch(String path, Runnable onChange) {
        return store.watch(path, onChange);
    }
}
