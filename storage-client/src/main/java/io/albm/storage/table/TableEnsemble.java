// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.Cluster;
import io.albm.core.node.NodeAddress;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The ensemble in which a storage node is told to have the file table.
 *
 * @param cluster that the node is in
 * @param servers of the other ensemble, {@code host:port,host:port…}; empty if it is the cluster's
 * @param told how the node was told, for messages: the key, its value and its origin
 */
public record TableEnsemble(Cluster cluster, String servers, String told) {
    /** That of the cluster, if the node was told nothing. */
    public static TableEnsemble ofCluster(Cluster cluster) {
        return new TableEnsemble(cluster, "", "table-zookeeper is not set");
    }

    /**
     * One of its own, unless it shares a server with the cluster's.
     *
     * @param clusterServers that the cluster is reached at
     */
    public static TableEnsemble of(
            Cluster cluster, List<NodeAddress> clusterServers, List<NodeAddress> servers, String told) {
        String own = text(servers);
        return new TableEnsemble(cluster, TableHome.shareServer(own, text(clusterServers)) ? "" : own, told);
    }

    /** As {@link Cluster#ensemble} takes them. */
    public static String text(List<NodeAddress> servers) {
        return servers.stream().map(NodeAddress::toString).collect(Collectors.joining(","));
    }

    /** Whether it is another one than the cluster's. */
    public boolean isOwn() {
        return !servers.isEmpty();
    }

    /** The cluster as it stands there; its membership is that of nodes that serve the table. */
    public Cluster home() {
        return isOwn() ? cluster.ensemble(servers) : cluster;
    }
}
