// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Versioned;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The coordination store as a leader writes it: every commit carries the fence, and is tried until it is known to be done or
 * refused. An unknown outcome is resolved by reading. While the store is away everything waits, until the leader gives up.
 *
 * <p>Futures fail with {@link CoordinationException.VersionConflict} when another leads, and with
 * {@link CoordinationException.Unavailable} when this leader has given up.
 */
final class FencedStore {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final CoordinationStore store;
    private final Operation.Check fence;
    private final Delay delay;
    private final BooleanSupplier givenUp;

    /** @param givenUp turns true when nobody waits any more; read from any thread */
    FencedStore(CoordinationStore store, Operation.Check fence, Delay delay, BooleanSupplier givenUp) {
        this.store = store;
        this.fence = fence;
        this.delay = delay;
        this.givenUp = givenUp;
    }

    /**
     * Creates a node that nobody else creates under this fence.
     *
     * @return fails with {@link IllegalStateException} if it is there with other content
     */
    CompletableFuture<Void> create(String path, byte[] data) {
        return commit(List.of(new Operation.Create(path, data, false)))
                .exceptionallyCompose(failure -> switch (cause(failure)) {
                    case CoordinationException.NodeExists exists -> created(path, data);
                    case CoordinationException.OutcomeUnknown unknown -> created(path, data);
                    default -> CompletableFuture.failedFuture(failure);
                });
    }

    private CompletableFuture<Void> created(String path, byte[] data) {
        return read(path).thenCompose(found -> {
            if (found.isEmpty()) {
                return create(path, data);
            }
            return Arrays.equals(found.get().data(), data)
                    ? done()
                    : CompletableFuture.failedFuture(
                            new IllegalStateException("node " + path + " holds what this leader did not write"));
        });
    }

    /** Sets a node, whatever is in it. To do it twice must do no harm. */
    CompletableFuture<Void> put(String path, byte[] data) {
        return commit(List.of(new Operation.Set(path, data, Operation.ANY)))
                .exceptionallyCompose(failure -> switch (cause(failure)) {
                    case CoordinationException.OutcomeUnknown unknown -> put(path, data);
                    case CoordinationException.NoSuchNode missing -> putFirst(path, data);
                    default -> CompletableFuture.failedFuture(failure);
                });
    }

    private CompletableFuture<Void> putFirst(String path, byte[] data) {
        return commit(List.of(new Operation.Create(path, data, false)))
                .exceptionallyCompose(failure -> switch (cause(failure)) {
                    case CoordinationException.OutcomeUnknown unknown -> put(path, data);
                    case CoordinationException.NodeExists exists -> put(path, data);
                    default -> CompletableFuture.failedFuture(failure);
                });
    }

    /**
     * Changes a node that only leaders change, from one version to the next.
     *
     * @param version that it has now; negative if it is not there
     * @return the version that it has then
     */
    CompletableFuture<Integer> replace(String path, byte[] data, int version) {
        Operation change =
                version < 0 ? new Operation.Create(path, data, false) : new Operation.Set(path, data, version);
        return commit(List.of(change))
                .thenApply(nothing -> version < 0 ? 0 : version + 1)
                .exceptionallyCompose(failure -> cause(failure) instanceof CoordinationException.Unavailable
                        ? CompletableFuture.failedFuture(failure)
                        : replaced(path, data, version, failure));
    }

    private CompletableFuture<Integer> replaced(String path, byte[] data, int version, Throwable failure) {
        return read(path).thenCompose(found -> {
            if (found.isPresent() && Arrays.equals(found.get().data(), data)) {
                return CompletableFuture.completedFuture(found.get().version());
            }
            return cause(failure) instanceof CoordinationException.OutcomeUnknown
                    ? replace(path, data, version)
                    : CompletableFuture.failedFuture(failure);
        });
    }

    /** Deletes nodes that nobody needs; some of them may be gone already, and some may stay. */
    CompletableFuture<Void> deleteAll(List<String> paths) {
        return commit(paths.stream()
                        .<Operation>map(path -> new Operation.Delete(path, Operation.ANY))
                        .toList())
                .exceptionallyCompose(failure -> switch (cause(failure)) {
                    case CoordinationException.OutcomeUnknown unknown -> done();
                    case CoordinationException.NoSuchNode gone -> done();
                    case CoordinationException.NodeExists children -> done();
                    default -> CompletableFuture.failedFuture(failure);
                });
    }

    /** After this, reads see all that any process had committed before: a server may lag, but not behind our own write. */
    CompletableFuture<Void> barrier() {
        return put(TablePaths.BARRIER, new byte[0]);
    }

    CompletableFuture<Optional<Versioned>> read(String path) {
        return patiently(() -> store.read(path));
    }

    CompletableFuture<List<String>> children(String path) {
        return patiently(() -> store.children(path));
    }

    private CompletableFuture<Void> commit(List<Operation> operations) {
        List<Operation> fenced = new ArrayList<>(operations.size() + 1);
        fenced.add(fence);
        fenced.addAll(operations);
        return patiently(() -> store.commit(fenced));
    }

    private <T> CompletableFuture<T> patiently(Supplier<CompletableFuture<T>> step) {
        return started(step).exceptionallyCompose(failure -> {
            if (!(cause(failure) instanceof CoordinationException.Unavailable) || givenUp.getAsBoolean()) {
                return CompletableFuture.failedFuture(failure);
            }
            CompletableFuture<T> later = new CompletableFuture<>();
            delay.after(
                    PAUSE,
                    () -> patiently(step).whenComplete((value, again) -> {
                        if (again == null) {
                            later.complete(value);
                        } else {
                            later.completeExceptionally(cause(again));
                        }
                    }));
            return later;
        });
    }

    /** The store throws what it cannot take, such as a commit that is too long; whoever waits for the future has to hear of it. */
    private static <T> CompletableFuture<T> started(Supplier<CompletableFuture<T>> step) {
        try {
            return step.get();
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private static CompletableFuture<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    /** The failure inside the wrappers that futures put around it. */
    static Throwable cause(Throwable failure) {
        Throwable inner = failure;
        while (inner instanceof CompletionException && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }
}
