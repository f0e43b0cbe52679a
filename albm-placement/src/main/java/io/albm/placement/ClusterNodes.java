// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import io.albm.core.access.ClusterConnection;
import io.albm.core.access.ClusterOptions;
import io.albm.core.node.Counter;
import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.placement.policy.NodeLoad;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What agents say about their hosts, as placement policies see it.
 *
 * <p>A host counts when its agent is a member, has said how much memory there is, and has reported counters. The
 * containers on it are not known one by one; they are in what is used.
 */
final class ClusterNodes {
    /** Attribute of an agent: memory of its host in bytes, or of its container if that is less. */
    static final String MEMORY_BYTES = "memory-bytes";

    /** Attribute of an agent: the id under which it publishes counters. */
    static final String HOST = "host";

    /** What a fault costs that waits for a disk: the order of a read from flash under load. */
    private static final double SECONDS_PER_PAGE_READ = 0.0005;

    private ClusterNodes() {}

    /** The nodes of a cluster that can be reached. */
    static List<NodeLoad> reported(ClusterOptions options) {
        try (ClusterConnection connection = options.connect()) {
            var agents = connection.loaded(connection.cluster().members(Role.AGENT));
            return of(agents.values(), connection.loaded(connection.cluster().counters()));
        }
    }

    /** Pure. */
    static List<NodeLoad> of(Collection<Member> agents, Map<NodeId, CounterReport> reports) {
        return agents.stream()
                .flatMap(agent -> node(agent, reports).stream())
                .sorted(Comparator.comparing(node -> node.node().value()))
                .toList();
    }

    private static Optional<NodeLoad> node(Member agent, Map<NodeId, CounterReport> reports) {
        NodeId host = agent.attribute(HOST).map(NodeId::new).orElse(agent.id());
        return Stream.ofNullable(reports.get(host))
                .flatMap(report -> agent.attribute(MEMORY_BYTES).stream()
                        .map(memory -> node(host, Long.parseLong(memory), report.sample())))
                .findFirst();
    }

    private static NodeLoad node(NodeId host, long memoryBytes, CounterSample sample) {
        long used = Math.max(0, memoryBytes - sample.availableMemoryBytes());
        return new NodeLoad(host, memoryBytes, used, pressure(sample), List.of());
    }

    /**
     * The share of time in which some task waited for memory; where the kernel does not keep it, the share of a second
     * that one task would have waited for the pages that were read.
     */
    private static double pressure(CounterSample sample) {
        double waitedForPages = sample.valueOr(Counter.PAGE_READS, 0) * SECONDS_PER_PAGE_READ;
        return sample.valueOr(Counter.MEMORY_PRESSURE, Math.min(1, waitedForPages));
    }
}
