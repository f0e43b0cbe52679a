// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.Election;
import io.albm.core.cluster.Leadership;
import io.albm.core.metrics.Metrics;
import io.albm.core.node.Member;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleService;
import io.albm.placement.policy.NodeLoad;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running placement engine: stands for leadership, so that one engine of a cluster decides, and keeps watch over the
 * nodes' memory. It starts no containers: that is the part of a backend, which takes {@code PlacementPolicy}'s answers.
 */
final class PlacementService implements RoleService {
    private static final Logger LOG = LoggerFactory.getLogger(PlacementService.class);

    private final RoleContext context;
    private volatile @Nullable Election election;

    PlacementService(RoleContext context) {
        this.context = context;
        export(context.metrics());
    }

    private void export(Metrics metrics) {
        metrics.gauge("placement_leader", "1 if this engine decides for the cluster", () -> isLeader() ? 1 : 0);
        metrics.gauge("placement_nodes", "Nodes whose agents report", () -> nodes().size());
        metrics.gauge(
                "placement_free_bytes",
                "Memory for containers that is free on all nodes together",
                () -> nodes().stream().mapToLong(NodeLoad::freeBytes).sum());
        metrics.gauge(
                "placement_highest_pressure_fraction",
                "Memory pressure of the node that waits most, 0 to 1",
                () -> nodes().stream()
                        .mapToDouble(NodeLoad::memoryPressure)
                        .max()
                        .orElse(0));
    }

    private List<NodeLoad> nodes() {
        Cluster cluster = context.cluster();
        return ClusterNodes.of(
                cluster.members(Role.AGENT).get().values(), cluster.counters().get());
    }

    @Override
    public Member start() {
        Election standing = context.cluster().elect(Role.PLACEMENT, context.id());
        standing.leadership().onChange(PlacementService::tell);
        election = standing;
        return context.member(Map.of(), Map.of());
    }

    private static void tell(Leadership leadership) {
        switch (leadership) {
            case Leadership.Leader leader -> LOG.info("leads, epoch {}", leader.epoch());
            case Leadership.Follower _ -> LOG.info("follows");
        }
    }

    private boolean isLeader() {
        Election standing = election;
        return standing != null && standing.leadership().get() instanceof Leadership.Leader;
    }

    /** Gives leadership back first, so that another engine leads while this one ends. */
    @Override
    public void drain(Duration bound) {
        close();
    }

    @Override
    public void close() {
        Election standing = election;
        election = null;
        if (standing != null) {
            standing.close();
        }
    }
}
