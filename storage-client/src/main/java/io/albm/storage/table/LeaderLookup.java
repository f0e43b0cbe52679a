// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Subscription;
import io.albm.core.json.Json;
import io.albm.core.node.NodeId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Who leads the table, remembered until somebody else does or it turns out to be wrong. Thread-safe. */
final class LeaderLookup implements AutoCloseable {
    private final CoordinationStore store;
    private final Subscription watch;
    private volatile @Nullable NodeId last;

    LeaderLookup(CoordinationStore store) {
        this.store = store;
        this.watch = store.watch(TablePaths.LEADER, () -> last = null);
    }

    /** Empty if nobody has led yet. */
    CompletableFuture<Optional<NodeId>> find() {
        NodeId known = last;
        return known != null ? CompletableFuture.completedFuture(Optional.of(known)) : read();
    }

    private CompletableFuture<Optional<NodeId>> read() {
        return store.read(TablePaths.LEADER)
                .thenApply(found -> found.map(node -> {
                    NodeId leader = Json.read(node.data(), Leader.class).node();
                    last = leader;
                    return leader;
                }));
    }

    /** This one did not answer as a leader does. */
    void doubt(NodeId node) {
        if (node.equals(last)) {
            last = null;
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
