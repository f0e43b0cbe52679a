// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * One process of a local cluster, as recorded in {@code cluster.json}.
 *
 * @param id unique in the cluster
 * @param role what it does
 * @param pid process id
 * @param startTicks when it was started, in clock ticks after boot: with the pid, the process's identity
 * @param endpoints where it listens; empty until it is ready
 * @param log file with its stderr
 */
public record ClusterProcess(
        String id, Role role, long pid, long startTicks, Map<String, NodeAddress> endpoints, String log) {
    public ClusterProcess {
        endpoints = Map.copyOf(endpoints);
    }

    /** For asking whether it still runs. */
    public ProcessIdentity identity() {
        return new ProcessIdentity(pid, startTicks);
    }

    /** Completes when it has ended; at once if it has already. */
    public CompletableFuture<?> onExit() {
        return identity().isAlive()
                ? ProcessHandle.of(pid)
                        .<CompletableFuture<?>>map(ProcessHandle::onExit)
                        .orElseGet(ClusterProcess::ended)
                : ended();
    }

    private static CompletableFuture<?> ended() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Where it listens for that use.
     *
     * @throws IllegalArgumentException if it does not
     */
    public NodeAddress endpoint(String use) {
        NodeAddress address = endpoints.get(use);
        if (address == null) {
            throw new IllegalArgumentException(id + " has no endpoint '" + use + "', only " + endpoints.keySet());
        }
        return address;
    }
}
