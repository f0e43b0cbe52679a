// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Builds what a policy looks at. Time is a number that a test advances. */
final class Views {
    static final long MIB = 1L << 20;
    static final HostHealth SERVING = new HostHealth.Serving();
    static final HostHealth RELIEVED = new HostHealth.Relieved(Instant.EPOCH, "run-queue", 9);

    private final ReliefSettings settings;
    private long nowNanos = 1_000_000_000L;
    private long sequence;

    Views(ReliefSettings settings) {
        this.settings = settings;
    }

    Views advance(Duration step) {
        nowNanos += step.toNanos();
        return this;
    }

    /** Backends {@code b0, b1, …} whose hosts have that much memory available. */
    RoutingView memory(long... mebibytes) {
        var backends = new ArrayList<BackendView>();
        for (long free : mebibytes) {
            backends.add(backend("b" + backends.size(), true, () -> 0, report(free, SERVING)));
        }
        return of(backends);
    }

    RoutingView of(List<BackendView> backends) {
        return new RoutingView(backends, settings, nowNanos);
    }

    HostReport report(long mebibytes, HostHealth health) {
        return new HostReport(new CounterSample(mebibytes * MIB, 0, 0, 0, 0, 0), health, ++sequence, nowNanos);
    }

    static BackendView backend(
            String id, boolean available, IntSupplier inFlight, @org.jspecify.annotations.Nullable HostReport report) {
        return new BackendView(id, available, inFlight, report);
    }

    static BackendView idle(String id) {
        return backend(id, true, () -> 0, null);
    }

    static BackendView down(String id) {
        return backend(id, false, () -> 0, null);
    }
}
