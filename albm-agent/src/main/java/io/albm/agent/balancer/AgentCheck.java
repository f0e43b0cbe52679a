// SPDX-License-Identifier: Apache-2.0
package io.albm.agent.balancer;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.Subscription;
import io.albm.core.net.Transport;
import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Thresholds;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Keeps HAProxy informed of one host: judges each sample, and tells whoever connects. Follows the host's drain mark and
 * what other hosts report; without the directory the last view stays. It follows all hosts, so it costs the directory a
 * watch on each: for clusters behind HAProxy, off otherwise.
 *
 * <p>{@link #step} is for the sampling thread; everything else for any.
 */
public final class AgentCheck implements AutoCloseable {
    private static final String DRAIN = "drain/";

    private final NodeId host;
    private final int maxConnections;
    private final LiveThresholds thresholds;
    private final HostWatch watch = new HostWatch();
    private final List<Subscription> subscriptions;
    private final AgentCheckServer server;
    private volatile boolean draining;
    private volatile Map<NodeId, CounterReport> reports = Map.of();
    private volatile HostState state = new HostState.Ready(1);

    /**
     * Binds and answers at once.
     *
     * @param maxConnections what the host takes at its full share; 0 leaves HAProxy's own limit alone
     * @throws IOException if the address cannot be had
     */
    public AgentCheck(
            NodeId host,
            int maxConnections,
            LiveThresholds thresholds,
            Cluster cluster,
            Transport transport,
            NodeAddress address)
            throws IOException {
        this.host = host;
        this.maxConnections = maxConnections;
        this.thresholds = thresholds;
        this.server = new AgentCheckServer(transport, address, this::line);
        this.subscriptions = List.of(
                cluster.configuration(DRAIN + host).onChange(marks -> draining = !marks.isEmpty()),
                cluster.counters().onChange(latest -> reports = latest));
    }

    /** Where it listens. */
    public NodeAddress address() {
        return server.address();
    }

    /** Takes one more sample into account. */
    public void step(long nowNanos, CounterSample sample) {
        Thresholds present = thresholds.get();
        state = watch.step(nowNanos, sample, present, () -> OthersLeft.mayLeave(host, reports, present));
    }

    private String line() {
        return AgentCheckLine.of(draining ? new HostState.Draining() : state, maxConnections);
    }

    @Override
    public void close() {
        subscriptions.forEach(Subscription::close);
        server.close();
    }
}
