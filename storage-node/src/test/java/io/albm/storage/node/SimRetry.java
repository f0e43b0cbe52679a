// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.node.NodeId;
import io.albm.storage.StorageException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** Writes over other nodes what a node has failed, as {@link io.albm.storage.StripedStore} does it for those who may block. */
public final class SimRetry {
    private static final int MAX_ATTEMPTS = 3;

    private SimRetry() {}

    /**
     * Tries a write up to three times.
     *
     * @param write what is tried, over all nodes but those that it is given
     */
    public static <T> CompletableFuture<T> over(Function<Set<NodeId>, CompletableFuture<T>> write) {
        return attempt(write, new HashSet<>(), 1);
    }

    private static <T> CompletableFuture<T> attempt(
            Function<Set<NodeId>, CompletableFuture<T>> write, Set<NodeId> avoided, int attempt) {
        return write.apply(avoided).exceptionallyCompose(failure -> {
            Optional<NodeId> culprit =
                    cause(failure) instanceof StorageException storage ? storage.node() : Optional.empty();
            if (culprit.isEmpty() || attempt == MAX_ATTEMPTS) {
                return CompletableFuture.failedFuture(failure);
            }
            avoided.add(culprit.get());
            return attempt(write, avoided, attempt + 1);
        });
    }

    /** The failure inside the wrapper that a future puts around it. */
    public static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }
}
