// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.agent.balancer.AgentCheck;
import io.albm.agent.balancer.LiveThresholds;
import io.albm.agent.balancer.OrcaRoute;
import io.albm.core.admin.Health;
import io.albm.core.config.Configuration;
import io.albm.core.metrics.Family;
import io.albm.core.metrics.Metrics;
import io.albm.core.node.Counter;
import io.albm.core.node.CounterReport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A running agent: the sampler, the thread that turns it, and what it tells other balancers. */
final class AgentService implements RoleService {
    private static final String COUNTERS = "counters";
    private static final String AGENT_CHECK = "agent-check";

    private final RoleContext context;
    private final NodeId host;
    private final Capacity capacity;
    private final HostSampler sampler;
    private final CounterPublisher publisher;
    private final LongAdder samples;
    private final LongAdder reports;
    private final LiveThresholds thresholds;
    private @Nullable AgentCheck agentCheck;
    private @Nullable SamplerThread thread;
    private int failing;

    AgentService(RoleContext context, NodeId host, Capacity capacity, HostSampler sampler, DeadBand deadBand) {
        this.context = context;
        this.host = host;
        this.capacity = capacity;
        this.sampler = sampler;
        this.samples = context.metrics().counter("samples_total", "Samples taken of all counters");
        this.reports = context.metrics().counter("reports_total", "Reports published to the cluster");
        this.publisher = new CounterPublisher(host, sampler, deadBand, InstantSource.system(), this::publish);
        this.thresholds = new LiveThresholds(context.cluster(), AgentConfig.thresholds(context.configuration()));
        export(context.metrics());
    }

    private void export(Metrics metrics) {
        metrics.families(this::counters);
        metrics.gauge(
                "unreadable_counters", "Counters that cannot be read and keep their last value", sampler::failing);
    }

    /** A counter that the host does not have is no meter. */
    private List<Family> counters() {
        return Arrays.stream(Counter.values())
                .filter(counter -> !Double.isNaN(sampler.value(counter)))
                .map(counter -> new Family(
                        counter.metric(),
                        counter.help(),
                        List.of(new Family.Value(Collections.emptySortedMap(), sampler.value(counter)))))
                .toList();
    }

    @Override
    public Member start() throws IOException {
        context.admin().route("/orca", new OrcaRoute(capacity.memoryBytes(), sampler::sample, thresholds));
        AgentCheck check = agentCheck(context.configuration());
        agentCheck = check;
        thread = SamplerThread.start(
                this::step, context.clock(), context.configuration().get(AgentConfig.SAMPLE_INTERVAL));
        return context.member(
                check == null ? Map.of() : Map.of(AGENT_CHECK, check.address()), capacity.attributes(host));
    }

    private @Nullable AgentCheck agentCheck(Configuration configuration) throws IOException {
        int port = configuration.get(AgentConfig.AGENT_CHECK_PORT);
        return port == AgentConfig.NO_PORT
                ? null
                : new AgentCheck(
                        host,
                        configuration.get(AgentConfig.AGENT_CHECK_MAX_CONNECTIONS),
                        thresholds,
                        context.cluster(),
                        context.transport(),
                        context.bind(port));
    }

    private void step(long nowNanos) {
        publisher.step(nowNanos);
        samples.increment();
        if (agentCheck != null) {
            agentCheck.step(nowNanos, sampler.sample());
        }
        if (sampler.failing() != failing) {
            failing = sampler.failing();
            report(context.health());
        }
    }

    private void publish(CounterReport report) {
        context.cluster().publish(report);
        reports.increment();
    }

    private void report(Health health) {
        if (failing == 0) {
            health.clear(COUNTERS);
        } else {
            String names = sampler.unreadable().stream().map(Counter::label).collect(Collectors.joining(", "));
            health.warn(COUNTERS, names + " cannot be read, the last values stand");
        }
    }

    /** There is nothing in flight: a report that is on its way belongs to the cluster. */
    @Override
    public void drain(Duration bound) {}

    @Override
    public void close() {
        if (thread != null) {
            thread.close();
        }
        if (agentCheck != null) {
            agentCheck.close();
        }
        thresholds.close();
        try {
            sampler.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
