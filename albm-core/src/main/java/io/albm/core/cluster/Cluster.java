// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cluster;

import io.albm.core.node.CounterReport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One process's window on its cluster. Nothing here blocks, and nothing that serves requests may wait for it: while the
 * directory is away, views keep their last value and writes wait or fail by their contract. Thread-safe. Closing it
 * ends the session: membership, counters and leadership of this process are gone for others at once.
 */
public interface Cluster extends AutoCloseable {
    /** As in {@code /albm/<name>}. */
    String name();

    /** Announces this process until the registration is closed. One id registers once per cluster and role. */
    Registration join(Member self);

    /** The processes of a role that are there now. */
    View<Map<NodeId, Member>> members(Role role);

    /**
     * Sends the node's counters: asynchronous, never blocks, the latest wins. Of one node at most one report is on its
     * way and one waits; a newer one replaces the one that waits. Kept back while the directory is away.
     */
    void publish(CounterReport report);

    /** The last counters of every node whose agent is there. */
    View<Map<NodeId, CounterReport>> counters();

    /**
     * Live settings: what was {@linkplain #configure configured} and nothing else; the reader adds its defaults.
     *
     * @param scope one or two path segments, such as {@code distributor} or {@code drain/cache-1}
     */
    View<Map<String, String>> configuration(String scope);

    /**
     * Changes live settings of one scope for the whole cluster, all at once: no reader sees a part of the change.
     *
     * @param change gets the present settings and returns those from now on; called again if somebody else was quicker
     */
    CompletableFuture<Void> configure(String scope, UnaryOperator<Map<String, String>> change);

    /**
     * Changes one live setting for the whole cluster. Concurrent changes of other keys of the scope are kept.
     *
     * @param value null takes the setting back
     */
    default CompletableFuture<Void> configure(String scope, String key, @Nullable String value) {
        return configure(scope, settings -> {
            Map<String, String> changed = new TreeMap<>(settings);
            if (value == null) {
                changed.remove(key);
            } else {
                changed.put(key, value);
            }
            return changed;
        });
    }

    /** Stands for the leadership of a role, until the election is closed. */
    Election elect(Role role, NodeId self);

    /** The tree for decisions that must hold. */
    CoordinationStore store();

    /** How the directory can be reached. */
    View<ConnectionState> connection();

    /**
     * The cluster of the same name in another directory, with a session of its own. Connects in the background, and is closed
     * with this one; the same for the same servers.
     *
     * @param servers {@code host:port,host:port…}
     * @throws IllegalArgumentException if they have another form
     */
    Cluster ensemble(String servers);

    @Override
    void close();
}
