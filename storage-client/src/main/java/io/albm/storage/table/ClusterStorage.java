// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.admin.Health;
import io.albm.core.cluster.Cluster;
import io.albm.core.wire.FrameClient;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;

/** The way to the striped storage of a cluster: its file table and its I/O nodes. */
public final class ClusterStorage {
    private ClusterStorage() {}

    /** The store of a cluster. Cluster and client stay the caller's, who closes them. */
    public static StripedStore open(Cluster cluster, FrameClient client, StripeSettings settings) {
        return open(new TableStore(cluster, (ensemble, servers) -> {}), cluster, client, settings);
    }

    /** The same for a process that says in its health whether the file table can be reached. */
    public static StripedStore open(Cluster cluster, FrameClient client, StripeSettings settings, Health health) {
        return open(
                new TableStore(cluster, (ensemble, servers) -> TableHealth.follow(ensemble, servers, health)),
                cluster,
                client,
                settings);
    }

    private static StripedStore open(TableStore store, Cluster cluster, FrameClient client, StripeSettings settings) {
        return StripedStore.open(new LeasedFileTable(RemoteFileTable.open(store, client)), cluster, client, settings);
    }
}
