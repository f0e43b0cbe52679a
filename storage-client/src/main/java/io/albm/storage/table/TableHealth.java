// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.admin.Health;
import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.ConnectionState;

/** Says in a process's health whether the file table's own ensemble can be reached. */
public final class TableHealth {
    private static final String COMPONENT = "table-zookeeper";

    private TableHealth() {}

    /** Until the cluster that the ensemble belongs to is closed. */
    public static void follow(Cluster ensemble, String servers, Health health) {
        ensemble.connection().onChange(state -> tell(state, servers, health));
    }

    private static void tell(ConnectionState state, String servers, Health health) {
        switch (state) {
            case CONNECTING -> health.warn(COMPONENT, "no connection to " + servers + " yet, keeps trying");
            case CONNECTED -> health.clear(COMPONENT);
            case SUSPENDED, LOST ->
                health.warn(COMPONENT, "connection to " + servers + " lost, files can be neither opened nor changed");
        }
    }
}
