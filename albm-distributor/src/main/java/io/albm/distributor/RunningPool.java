// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.topology.PoolSpec;
import io.albm.core.topology.StaticBackend;
import io.albm.core.topology.Topology;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.BackendChooser;
import io.albm.distributor.backend.BackendDirectory;
import io.albm.distributor.backend.BackendSettings;
import io.albm.distributor.backend.BackendSpec;
import io.albm.distributor.backend.HealthProber;
import io.albm.distributor.proxy.Pool;
import io.albm.distributor.routing.ReliefSettings;
import io.albm.distributor.stats.Traffic;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One pool at work: its backends and their health checks, its policies, and the line of those who wait. Its methods are
 * called by one thread at a time, but for those that only show.
 */
final class RunningPool implements AutoCloseable {
    private static final String HTTP = "http";
    private static final String HOST = "host";
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(250);

    private final PoolParts parts;
    private final BackendDirectory directory;
    private final Pool queue;
    private final List<Future<?>> timers;
    private Set<String> overrides = Set.of();
    private volatile String policy;
    private volatile PoolSpec spec;
    private volatile boolean tcp;
    private Map<String, Integer> weights;

    /** A pool that serves as the topology says. */
    RunningPool(PoolSpec spec, Topology topology, ReliefSettings relief, ClusterView view, PoolParts parts) {
        this.parts = parts;
        this.spec = spec;
        this.queue = new Pool(parts.stats(), parts.clock(), queueSize(spec), queueTimeout(spec));
        queue.announceWaiting(announceWaiting(spec));
        this.tcp = topology.isTcpAlone(spec);
        this.weights = topology.weights();
        this.policy = topology.policyOf(spec);
        BackendSettings settings = settings(spec, topology);
        this.directory = new BackendDirectory(
                spec.name(), parts.control(), parts.clock(), settings, policy, relief, this::retired);
        directory.drain(view.drained());
        directory.shareWith(view.distributors());
        directory.report(view.reports());
        expect(view.members());
        var prober = new HealthProber(directory, parts.clients(), parts.control());
        this.timers = List.of(every(LOOK_INTERVAL, directory::look), every(settings.checkInterval(), prober::probeAll));
    }

    private void retired(Backend backend) {
        queue.traffic().absorb(backend.traffic());
        parts.onRetired().accept(backend);
    }

    private Future<?> every(Duration interval, Runnable work) {
        return parts.control().scheduleWithFixedDelay(work, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    BackendDirectory directory() {
        return directory;
    }

    Pool queue() {
        return queue;
    }

    PoolSpec spec() {
        return spec;
    }

    /** Whether only frontends of mode {@code tcp} use it. */
    boolean isTcp() {
        return tcp;
    }

    /** Requests that may wait. */
    int queueSize() {
        return queueSize(spec);
    }

    /** Takes what rates need, once a second. */
    void look(long nowNanos) {
        var all = new Traffic();
        all.absorb(queue.traffic());
        int now = 0;
        for (Backend backend : directory.backends()) {
            backend.traffic().look(nowNanos);
            all.absorb(backend.traffic());
            now += backend.inFlight();
        }
        queue.traffic().look(all, nowNanos);
        queue.traffic().reached(now);
    }

    String policy() {
        return policy;
    }

    /** Lets these policies be asked for, beside those that are in use. */
    void offer(Set<String> policies) {
        Set<String> all = new HashSet<>(overrides);
        all.addAll(policies);
        routeBy(policy, all);
    }

    private void routeBy(String byDefault, Set<String> byFrontends) {
        if (!byDefault.equals(policy) || !byFrontends.equals(overrides)) {
            directory.routeBy(byDefault, byFrontends).join();
            policy = byDefault;
            overrides = Set.copyOf(byFrontends);
        }
    }

    /** Who spreads requests by that policy; null stands for the pool's. */
    BackendChooser chooser(@Nullable String byPolicy) {
        return byPolicy == null ? directory : directory.by(byPolicy);
    }

    /** Goes on as the topology says. */
    void settle(PoolSpec changed, Topology topology, Set<String> policiesOfFrontends, ReliefSettings relief) {
        spec = changed;
        tcp = topology.isTcpAlone(changed);
        weights = topology.weights();
        routeBy(topology.policyOf(changed), policiesOfFrontends);
        directory.judgeBy(settings(changed, topology));
        directory.relieveBy(relief);
        queue.queueBy(queueSize(changed), queueTimeout(changed));
        queue.announceWaiting(announceWaiting(changed));
    }

    /** Takes over who is a member. */
    void expect(Map<NodeId, Member> members) {
        SortedMap<String, BackendSpec> specs = new TreeMap<>();
        for (StaticBackend backend : spec.backends()) {
            String id = backend.address().toString();
            specs.put(id, new BackendSpec(backend.address(), null, weights.getOrDefault(id, backend.weight())));
        }
        if (spec.members() != null) {
            members.forEach((id, member) ->
                    member.endpoint(HTTP).ifPresent(address -> specs.put(id.value(), of(member, address))));
        }
        directory.expect(specs);
    }

    private BackendSpec of(Member member, NodeAddress address) {
        return new BackendSpec(
                address,
                member.attribute(HOST).map(NodeId::new).orElse(null),
                weights.getOrDefault(member.id().value(), StaticBackend.DEFAULT_WEIGHT));
    }

    private BackendSettings settings(PoolSpec of, Topology topology) {
        BackendSettings start = parts.settings();
        String checkPath = topology.isTcpAlone(of) ? BackendSettings.CONNECT_ONLY : start.checkPath();
        return new BackendSettings(
                Objects.requireNonNullElse(of.checkPath(), checkPath),
                start.checkInterval(),
                start.checkTimeout(),
                Objects.requireNonNullElse(of.rise(), start.rise()),
                Objects.requireNonNullElse(of.fall(), start.fall()),
                start.connectFailures(),
                Objects.requireNonNullElse(of.maxConnections(), start.maxConnections()),
                start.reportMaxAge(),
                start.protection());
    }

    private int queueSize(PoolSpec of) {
        return Objects.requireNonNullElse(of.queueSize(), parts.queueSize());
    }

    private Duration queueTimeout(PoolSpec of) {
        return Objects.requireNonNullElse(of.queueTimeout(), parts.queueTimeout());
    }

    private boolean announceWaiting(PoolSpec of) {
        return Objects.requireNonNullElse(of.announceWaiting(), parts.announceWaiting());
    }

    /** Lets all backends go; what is in flight finishes. */
    @Override
    public void close() {
        timers.forEach(timer -> timer.cancel(false));
        directory.expect(Map.of());
    }
}
