// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.admin.Health;
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
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A running agent: the sampler, and the thread that turns it. */
final class AgentService implements RoleService {
    private static final String COUNTERS = "counters";

    private final RoleContext context;
    private final NodeId host;
    private final Capacity capacity;
    private final HostSampler sampler;
    private final CounterPublisher publisher;
    private final LongAdder samples;
    private final LongAdder reports;
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
        export(context.metrics());
    }

    private void export(Metrics metrics) {
        for (Counter counter : Counter.values()) {
            metrics.gauge(counter.metric(), counter.help(), () -> sampler.value(counter));
        }
        metrics.gauge(
                "unreadable_counters", "Counters that cannot be read and keep their last value", sampler::failing);
    }

    @Override
    public Member start() {
        thread = SamplerThread.start(
                this::step, context.clock(), context.configuration().get(AgentConfig.SAMPLE_INTERVAL));
        return context.member(Map.of(), capacity.attributes(host));
    }

    private void step(long nowNanos) {
        publisher.step(nowNanos);
        samples.increment();
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
        try {
            sampler.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
