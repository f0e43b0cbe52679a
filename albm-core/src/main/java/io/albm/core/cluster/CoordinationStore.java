// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cluster;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A small tree of versioned nodes that all processes of a cluster agree on: the part of ZooKeeper that ALBM's decisions
 * need, and no more, so that a simulated twin can stand in for it.
 *
 * <p>Paths are relative to the cluster's root and start with a slash ({@code /jobs/7/manifest}). Futures fail with
 * {@link CoordinationException}; they complete on threads that may block. Reads see every commit that this process saw
 * done; another process's latest commit may show a moment later. Thread-safe.
 */
public interface CoordinationStore {
    /** Empty if the node is not there. */
    CompletableFuture<Optional<Versioned>> read(String path);

    /** The names (not paths) of the direct children, in natural order; empty if the node is not there. */
    CompletableFuture<List<String>> children(String path);

    /**
     * Applies all operations in order, or none.
     *
     * @param operations at most 900 KB of content together
     * @throws IllegalArgumentException for a malformed path or too much content
     */
    CompletableFuture<Void> commit(List<Operation> operations);

    /**
     * Calls back, on the cluster's dispatcher thread, when the node or one of its direct children was created, changed
     * or deleted, and when the connection came back (changes may have been missed: read again). Calls that come faster
     * than the callback runs are joined. The node need not exist. Never called for the state at subscription.
     */
    Subscription watch(String path, Runnable onChange);
}
