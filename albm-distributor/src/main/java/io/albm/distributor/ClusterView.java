// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.node.CounterReport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import java.util.Map;
import java.util.Set;

/**
 * What the cluster last said about those that may be backends. It outlives the pools, so that a pool that is made later
 * knows at once what the others know.
 *
 * @param members cache servers that are there
 * @param reports last counters, by host
 * @param drained ids of backends that an operator has taken out
 * @param distributors how many share the backends, this one included
 */
record ClusterView(
        Map<NodeId, Member> members, Map<NodeId, CounterReport> reports, Set<String> drained, int distributors) {
    static final ClusterView EMPTY = new ClusterView(Map.of(), Map.of(), Set.of(), 1);

    ClusterView withMembers(Map<NodeId, Member> changed) {
        return new ClusterView(changed, reports, drained, distributors);
    }

    ClusterView withReports(Map<NodeId, CounterReport> changed) {
        return new ClusterView(members, changed, drained, distributors);
    }

    ClusterView withDrained(Set<String> changed) {
        return new ClusterView(members, reports, changed, distributors);
    }

    ClusterView withDistributors(int changed) {
        return new ClusterView(members, reports, drained, changed);
    }
}
