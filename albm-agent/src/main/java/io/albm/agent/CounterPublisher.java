// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.node.CounterReport;
import io.albm.core.node.HostHealth;
import io.albm.core.node.NodeId;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * What an agent does over and over: sample the host, and publish if the {@link DeadBand} says so. A thread turns it in
 * production, a test by hand.
 *
 * <p>The health that it reports is the host's own word: serving. Whether a host is relieved is decided by the thresholds
 * of the distributor, which sees all hosts.
 */
final class CounterPublisher {
    private final NodeId host;
    private final HostSampler sampler;
    private final DeadBand deadBand;
    private final InstantSource wallClock;
    private final Consumer<CounterReport> out;
    private long sequence;

    CounterPublisher(
            NodeId host, HostSampler sampler, DeadBand deadBand, InstantSource wallClock, Consumer<CounterReport> out) {
        this.host = host;
        this.sampler = sampler;
        this.deadBand = deadBand;
        this.wallClock = wallClock;
        this.out = out;
    }

    /** One sample, and a report if it is worth one. */
    void step(long nowNanos) {
        sampler.step(nowNanos);
        if (deadBand.publishes(nowNanos, sampler.values())) {
            out.accept(report());
        }
    }

    private CounterReport report() {
        return new CounterReport(host, sampler.sample(), new HostHealth.Serving(), sequence++, wallClock.instant());
    }
}
