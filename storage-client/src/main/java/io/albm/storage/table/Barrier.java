// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A write before a read that must not be old: a server may lag, but not behind our own. Whoever leads has {@link FencedStore#barrier}. */
final class Barrier {
    private Barrier() {}

    /** The write need not succeed to be one: where no table is, nothing is left of it. */
    static CompletableFuture<Void> pass(CoordinationStore store) {
        return store.commit(List.of(new Operation.Set(TablePaths.BARRIER, new byte[0], Operation.ANY)))
                .exceptionallyCompose(failure -> FencedStore.cause(failure) instanceof CoordinationException.NoSuchNode
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(failure));
    }
}
