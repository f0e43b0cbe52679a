// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.access.ClusterConnection;
import io.albm.core.cluster.Subscription;
import io.albm.core.node.NodeId;
import io.albm.storage.StripedStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Says in the cluster's live settings which storage nodes are to leave. This process knows when a call returns, others soon after. */
final class RetiringMarks {
    private RetiringMarks() {}

    static void set(ClusterConnection cluster, NodeId node) {
        mark(cluster, node, Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    static void clear(ClusterConnection cluster, NodeId node) {
        mark(cluster, node, null);
    }

    private static void mark(ClusterConnection connection, NodeId node, @Nullable String since) {
        connection.await(connection.cluster().configure(StripedStore.RETIRING_SCOPE, node.value(), since));
        CompletableFuture<Void> seen = new CompletableFuture<>();
        try (Subscription _ = connection
                .cluster()
                .configuration(StripedStore.RETIRING_SCOPE)
                .onChange(all -> {
                    if (all.containsKey(node.value()) == (since != null)) {
                        seen.complete(null);
                    }
                })) {
            connection.await(seen);
        }
    }
}
