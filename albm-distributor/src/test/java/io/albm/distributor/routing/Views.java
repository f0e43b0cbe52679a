// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds what a policy looks at. Time is a number that a test advances. */
final class Views {
    static final long MIB = 1L << 20;
    static final long START_NANOS = 1_000_000_000L;
    static final HostHealth SERVING = new HostHealth.Serving();
    static final HostHealth RELIEVED = new HostHealth.Relieved(Instant.EPOCH, "run-queue", 9);

    private final ReliefSettings settings;
    private long nowNanos = START_NANOS;
    private long sequence;
    private int distributors = 1;
    final RouteCosts costs = new RouteCosts();

    Views(ReliefSettings settings) {
        this.settings = settings;
    }

    Views sharedWith(int count) {
        distributors = count;
        return this;
    }

    Views advance(Duration step) {
        nowNanos += step.toNanos();
        return this;
    }

    /** Backends {@code b0, b1, …} whose hosts have that much memory available. */
    RoutingView memory(long... mebibytes) {
        var backends = new ArrayList<BackendView>();
        for (long free : mebibytes) {
            backends.add(backend("b" + backends.size(), true, new BackendLoad(), report(free, SERVING)));
        }
        return of(backends);
    }

    /** Backends {@code b0, b1, …} whose hosts have those counters. */
    RoutingView samples(CounterSample... samples) {
        var backends = new ArrayList<BackendView>();
        for (CounterSample sample : samples) {
            HostReport report = new HostReport(sample, SERVING, ++sequence, nowNanos);
            backends.add(reported("b" + backends.size(), report));
        }
        return of(backends);
    }

    RoutingView of(List<BackendView> backends) {
        return new RoutingView(backends, settings, costs, distributors, nowNanos);
    }

    HostReport report(long mebibytes, HostHealth health) {
        return new HostReport(new CounterSample(mebibytes * MIB, 0, 0, 0, 0, 0), health, ++sequence, nowNanos);
    }

    static BackendView backend(String id, boolean available, BackendLoad load, @Nullable HostReport report) {
        return new BackendView(id, available, 1, load, report);
    }

    static BackendView reported(String id, @Nullable HostReport report) {
        return backend(id, true, new BackendLoad(), report);
    }

    static BackendView idle(String id) {
        return backend(id, true, new BackendLoad(), null);
    }

    static BackendView down(String id) {
        return backend(id, false, new BackendLoad(), null);
    }
}
