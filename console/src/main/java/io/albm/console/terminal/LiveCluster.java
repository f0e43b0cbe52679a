// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.access.ClusterConnection;
import io.albm.core.access.ClusterOptions;
import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A running cluster, for the commands that change it through ZooKeeper. Waits for each answer, within a bound. */
final class LiveCluster implements AutoCloseable {
    /** Live settings of the distributor; the names are its contract with these commands. */
    static final String DISTRIBUTOR = "distributor";

    /** Those of the cache servers. */
    static final String CACHE_SERVER = "cache-server";

    private final ClusterConnection connection;

    LiveCluster(ClusterOptions options) {
        this.connection = options.connect();
    }

    Map<NodeId, Member> members(Role role) {
        return connection.loaded(connection.cluster().members(role));
    }

    Map<String, String> settings(String scope) {
        return connection.loaded(connection.cluster().configuration(scope));
    }

    /** Null takes the setting back. */
    void set(String scope, String key, @Nullable String value) {
        connection.await(connection.cluster().configure(scope, key, value));
    }

    void change(String scope, UnaryOperator<Map<String, String>> change) {
        connection.await(connection.cluster().configure(scope, change));
    }

    @Override
    public void close() {
        connection.close();
    }
}
