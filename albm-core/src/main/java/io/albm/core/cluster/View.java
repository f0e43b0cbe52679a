// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cluster;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A value of the cluster as last seen, which keeps that value while the directory is away: the data path goes on with
 * it. Thread-safe; {@link #get} costs one volatile read.
 *
 * @param <T> an immutable value
 */
public interface View<T> {
    /** The last value seen; empty (or the initial state) before the first connection. Never blocks. */
    T get();

    /**
     * Completes with the first value that was read from the directory. A caller who must tell "nobody is there" from
     * "not yet known" waits for this, with a time limit of its own.
     */
    CompletableFuture<T> loaded();

    /**
     * Calls the listener with the current value and then after each change, always on the cluster's one dispatcher
     * thread; changes that come faster than the listener runs are joined into one call with the latest value. A
     * listener must not block: it holds up every other listener of this cluster.
     */
    Subscription onChange(Consumer<? super T> listener);
}
