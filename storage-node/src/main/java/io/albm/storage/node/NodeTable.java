// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.cluster.Registration;
import io.albm.core.config.CommonKeys;
import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.core.metrics.Metrics;
import io.albm.core.node.NodeAddress;
import io.albm.core.role.RoleContext;
import io.albm.storage.table.RemoteFileTable;
import io.albm.storage.table.TableEnsemble;
import io.albm.storage.table.TableHealth;
import io.albm.storage.table.TableNode;
import io.albm.storage.table.TableStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** This process's part in the file table, as its configuration, health and metrics have it. */
final class NodeTable implements AutoCloseable {
    private static final String COMPONENT = "file-table";

    private final RoleContext context;
    private final TableEnsemble ensemble;
    private final TableNode node;
    private volatile @Nullable Registration registration;

    private NodeTable(RoleContext context) {
        this.context = context;
        this.ensemble = ensemble(context);
        this.node = TableNode.bind(
                ensemble,
                context.transport(),
                context.id(),
                context.bind(context.configuration().get(StorageNodeConfig.TABLE_PORT)),
                this::tell);
    }

    /** Binds its port. */
    static NodeTable bind(RoleContext context) {
        NodeTable table = new NodeTable(context);
        table.meters(context.metrics());
        if (table.ensemble.isOwn()) {
            TableHealth.follow(table.ensemble.home(), table.ensemble.servers(), context.health());
        }
        return table;
    }

    private static TableEnsemble ensemble(RoleContext context) {
        Configuration configuration = context.configuration();
        Key<List<NodeAddress>> key = StorageNodeConfig.TABLE_ZOOKEEPER;
        List<NodeAddress> servers = configuration.get(key);
        return servers.isEmpty()
                ? TableEnsemble.ofCluster(context.cluster())
                : TableEnsemble.of(
                        context.cluster(),
                        configuration.get(CommonKeys.ZOOKEEPER),
                        servers,
                        "%s = '%s' (%s)".formatted(key.name(), TableEnsemble.text(servers), configuration.origin(key)));
    }

    private void tell(TableStatus status) {
        String trouble = status.trouble();
        if (trouble == null) {
            context.health().clear(COMPONENT);
        } else {
            context.health().warn(COMPONENT, "cannot lead the file table: " + trouble);
        }
    }

    private void meters(Metrics metrics) {
        metrics.gauge(
                "table_leading",
                "1 while this node leads the file table.",
                () -> node.status().leading() ? 1 : 0);
        metrics.gauge(
                "table_inodes",
                "Files, directories and links, at the leader.",
                () -> node.status().inodes());
        metrics.gauge(
                "table_log_position",
                "Last durable batch of the log.",
                () -> node.status().position());
        metrics.gauge(
                "table_snapshot_bytes",
                "Last snapshot of the table.",
                () -> node.status().snapshotBytes());
        metrics.gauge("table_open_calls", "Calls that wait for their answer.", node::open);
    }

    NodeAddress address() {
        return node.address();
    }

    /** Stands for election; in an ensemble of the table's own this process becomes a member there, too. */
    CompletableFuture<Void> stand() {
        return node.stand().thenCompose(nothing -> ensemble.isOwn() ? join() : CompletableFuture.completedFuture(null));
    }

    private CompletableFuture<Void> join() {
        Registration joined =
                ensemble.home().join(context.member(Map.of(RemoteFileTable.ENDPOINT, node.address()), Map.of()));
        registration = joined;
        return joined.registered();
    }

    @Override
    public void close() {
        Registration joined = registration;
        if (joined != null) {
            joined.close();
        }
        node.close();
    }
}
