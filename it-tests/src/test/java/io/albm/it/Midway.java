// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.StorageException;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** An operation of the striped storage that stands in its middle until it is told to go on, and must end in time then. */
final class Midway<T> {
    private static final long BOUND_SECONDS = 60;

    private final HeldBlocks held;
    private final CompletableFuture<T> result;

    private Midway(HeldBlocks held, CompletableFuture<T> result) {
        this.held = held;
        this.result = result;
    }

    /** What is done with a store. */
    @FunctionalInterface
    interface Work<T> {
        T with(StripedStore store) throws IOException;
    }

    /**
     * Begins an operation and waits until it is in its middle.
     *
     * @param calls of storage nodes before that
     */
    static <T> Midway<T> of(StorageCluster cluster, int parityUnits, int calls, Work<T> work) {
        HeldBlocks held = new HeldBlocks(calls);
        StripedStore store = cluster.store(parityUnits, held::before);
        CompletableFuture<T> result = CompletableFuture.supplyAsync(() -> run(store, work), Thread::startVirtualThread);
        await().failFast("it ended before its middle", result::isDone)
                .until(() -> held.reached().isDone());
        return new Midway<>(held, result);
    }

    private static <T> T run(StripedStore store, Work<T> work) {
        try {
            return work.with(store);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void goOn() {
        held.release();
    }

    /** What it came to; an error unless it is done in time. */
    T result() {
        return result.orTimeout(BOUND_SECONDS, TimeUnit.SECONDS).join();
    }

    /** How it failed; an error unless it did in time. */
    StorageException failure() {
        try {
            throw new AssertionError("did not fail but gave " + result());
        } catch (CompletionException failed) {
            assertThat(failed).hasRootCauseInstanceOf(StorageException.class);
            return (StorageException) rootCause(failed);
        }
    }

    private static Throwable rootCause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Whether it was done; empty if nobody could tell it, since the answer was lost. */
    Optional<Boolean> wasDone() {
        return result.orTimeout(BOUND_SECONDS, TimeUnit.SECONDS)
                .handle((value, failure) -> failure == null ? Optional.of(true) : wasDoneIn(failure))
                .join();
    }

    private static Optional<Boolean> wasDoneIn(Throwable failure) {
        assertThat(failure).hasRootCauseInstanceOf(StorageException.class);
        return rootCause(failure) instanceof StorageException.OutcomeUnknown ? Optional.empty() : Optional.of(false);
    }
}
