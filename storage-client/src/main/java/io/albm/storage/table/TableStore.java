// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.Versioned;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * The store that has the file table, as a client finds it: the cluster's says which one it is. Asked once, when it is needed
 * first; from then on the cluster's may be away. Thread-safe, never blocks.
 */
final class TableStore implements CoordinationStore {
    private final Cluster cluster;
    private final BiConsumer<Cluster, String> onOwn;
    private final CompletableFuture<Cluster> found = new CompletableFuture<>();

    /** @param onOwn is told the ensemble and its servers, if the table has one of its own */
    TableStore(Cluster cluster, BiConsumer<Cluster, String> onOwn) {
        this.cluster = cluster;
        this.onOwn = onOwn;
    }

    private CompletableFuture<CoordinationStore> find() {
        return (found.isDone() ? found : TableHome.read(cluster.store()).thenApply(this::follow))
                .thenApply(Cluster::store);
    }

    private Cluster follow(Optional<TableHome> says) {
        TableHome home = says.orElseThrow(() -> new CoordinationException.Unavailable(
                "no storage node leads the file table: none has started in this cluster yet"));
        Cluster there = home.elsewhere() ? cluster.ensemble(home.zookeeper()) : cluster;
        there.members(Role.STORAGE_NODE);
        if (found.complete(there) && home.elsewhere()) {
            onOwn.accept(there, home.zookeeper());
        }
        return there;
    }

    /** Where a node serves the table, if it is known to. */
    Optional<NodeAddress> address(NodeId node) {
        return Optional.ofNullable(found.getNow(null))
                .map(home -> home.members(Role.STORAGE_NODE).get().get(node))
                .flatMap(member -> member.endpoint(RemoteFileTable.ENDPOINT));
    }

    @Override
    public CompletableFuture<Optional<Versioned>> read(String path) {
        return find().thenCompose(store -> store.read(path));
    }

    @Override
    public CompletableFuture<List<String>> children(String path) {
        return find().thenCompose(store -> store.children(path));
    }

    @Override
    public CompletableFuture<Void> commit(List<Operation> operations) {
        return find().thenCompose(store -> store.commit(operations));
    }

    @Override
    public Subscription watch(String path, Runnable onChange) {
        CompletableFuture<Subscription> watch =
                found.thenApply(home -> home.store().watch(path, onChange));
        return () -> watch.thenAccept(Subscription::close);
    }
}
