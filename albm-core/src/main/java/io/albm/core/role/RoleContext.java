// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import io.albm.core.admin.AdminServer;
import io.albm.core.admin.Health;
import io.albm.core.cluster.Cluster;
import io.albm.core.config.CommonKeys;
import io.albm.core.config.Configuration;
import io.albm.core.metrics.Metrics;
import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.time.MonotonicClock;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What a role's service is made of. Everything in it is ready to use; the cluster connects in the background.
 *
 * @param role which role this process has
 * @param configuration effective values of the role's schema
 * @param cluster membership, counters and live settings
 * @param metrics where the role registers its meters
 * @param transport event loops and bootstraps
 * @param health where the role says why it is not ready or not at its best
 * @param admin where the role may add routes
 * @param clock for durations
 * @param data an existing directory for what this process keeps
 */
public record RoleContext(
        Role role,
        Configuration configuration,
        Cluster cluster,
        Metrics metrics,
        Transport transport,
        Health health,
        AdminServer admin,
        MonotonicClock clock,
        Path data) {

    /** This process's name. */
    public NodeId id() {
        return configuration.get(CommonKeys.ID);
    }

    /** The address to listen on at a port; its host is loopback unless the operator allowed another. */
    public NodeAddress bind(int port) {
        return new NodeAddress(configuration.get(CommonKeys.BIND), port);
    }

    /** How to announce this process; the process id is added. */
    public Member member(Map<String, NodeAddress> endpoints, Map<String, String> attributes) {
        var all = new HashMap<>(attributes);
        all.put("pid", Long.toString(ProcessHandle.current().pid()));
        return new Member(id(), role, endpoints, all, Build.version(), Build.started());
    }
}
