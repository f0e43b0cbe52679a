// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.time.MonotonicClock;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.BackendChooser;
import io.albm.distributor.routing.RoutedRequest;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What one event loop has for itself: pools, retry budget and randomness. So no request waits for another loop. */
final class Worker {
    private final BackendChooser chooser;
    private final ProxySettings settings;
    private final ProxyStats stats;
    private final MonotonicClock clock;
    private final int loops;
    private final Bootstrap bootstrap;
    private final RetryBudget budget;
    private final RandomGenerator random = new SplittableRandom();
    private final Map<Backend, UpstreamPool> pools = new HashMap<>();

    /**
     * A worker on that loop.
     *
     * @param loops how many workers share the bounds of the settings
     */
    Worker(
            EventLoop loop,
            int loops,
            Bootstrap clients,
            BackendChooser chooser,
            ProxySettings settings,
            ProxyStats stats,
            MonotonicClock clock) {
        this.chooser = chooser;
        this.settings = settings;
        this.stats = stats;
        this.clock = clock;
        this.loops = loops;
        this.bootstrap = clients.clone(loop).option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                settings.connectTimeout().toMillis());
        this.budget = new RetryBudget(settings.retryRatio(), (double) settings.retryBurst() / loops);
    }

    ProxySettings settings() {
        return settings;
    }

    ProxyStats stats() {
        return stats;
    }

    MonotonicClock clock() {
        return clock;
    }

    RetryBudget budget() {
        return budget;
    }

    @Nullable
    Backend choose(RoutedRequest request) {
        return chooser.choose(request, random);
    }

    String whyNone() {
        return chooser.whyNone();
    }

    UpstreamPool pool(Backend backend) {
        return pools.computeIfAbsent(
                backend,
                added -> new UpstreamPool(
                        added, settings, clock, Math.max(1, settings.maxConnectionsPerBackend() / loops), bootstrap));
    }

    /** Forgets the pool of a backend that is gone. */
    void retire(Backend backend) {
        UpstreamPool pool = pools.remove(backend);
        if (pool != null) {
            pool.retire();
        }
    }
}
