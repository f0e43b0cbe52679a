// SPDX-License-Identifier: Apache-2.0
package io.albm.agent.balancer;

import io.albm.core.node.CounterReport;
import io.albm.core.node.NodeId;
import io.albm.core.node.Thresholds;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Whether a host that is short may leave: of n hosts at most floor(n / 2), the shortest, so that agents which all say
 * {@code down} at once cannot leave a balancer without servers. Every agent sees the same reports and comes to the same
 * order; while reports are on their way two may differ, and one host more or fewer is out. Without reports of others (one
 * host, or no directory) nobody may leave. Pure.
 */
final class OthersLeft {
    private OthersLeft() {}

    static boolean mayLeave(NodeId self, Map<NodeId, CounterReport> reports, Thresholds thresholds) {
        List<NodeId> shortest = reports.values().stream()
                .sorted(Comparator.<CounterReport>comparingDouble(report -> thresholds.margin(report.sample()))
                        .thenComparing(report -> report.node().value()))
                .map(CounterReport::node)
                .limit(reports.size() / 2)
                .toList();
        return shortest.contains(self);
    }
}
