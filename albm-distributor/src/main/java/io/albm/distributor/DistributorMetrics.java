// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.metrics.Metrics;
import io.albm.distributor.backend.BackendStatus;
import io.albm.distributor.proxy.ProxyStats;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Gauges of the pools and their backends. A backend gets its gauges when it is first seen; they stay and show 0 when it is
 * gone, as meters do. {@link #look} belongs to one thread, what the gauges read is thread-safe.
 */
final class DistributorMetrics {
    static final Duration INTERVAL = Duration.ofMillis(250);

    private final Metrics metrics;
    private final Pools pools;
    private final Set<String> measured = new HashSet<>();

    DistributorMetrics(Metrics metrics, ProxyStats stats, Pools pools) {
        this.metrics = metrics;
        this.pools = pools;
        metrics.gauge("requests_in_flight", "Requests that are not answered in full", stats::inFlight);
        metrics.gauge("client_connections", "Connections of clients", stats::clients);
        metrics.gauge(
                "routing_panic",
                "1 while backends of a pool get requests that should not, because too few others can",
                () -> flag(pools.all().values().stream()
                        .anyMatch(pool -> pool.directory().status().panic())));
    }

    /** Measures backends that came since the last look. */
    void look() {
        pools.all()
                .forEach((name, pool) -> pool.directory().status().backends().stream()
                        .filter(backend -> measured.add(name + " " + backend.id()))
                        .forEach(backend -> measure(name, backend.id())));
    }

    private void measure(String pool, String id) {
        gauge(
                pool,
                id,
                "backend_in_flight",
                "Requests sent to the backend and not answered in full",
                BackendStatus::inFlight);
        gauge(
                pool,
                id,
                "backend_takes_requests",
                "1 if the backend gets new requests",
                backend -> flag(backend.share() > 0));
        gauge(
                pool,
                id,
                "backend_ejected",
                "1 if the backend is out because its requests fail",
                backend -> flag(backend.health().equals("ejected")));
        gauge(pool, id, "backend_share", "Share of its requests that the backend takes, 0 to 1", BackendStatus::share);
        gauge(
                pool,
                id,
                "backend_relieved",
                "1 if the backend is relieved",
                backend -> flag(backend.relieved() != null));
    }

    private static double flag(boolean on) {
        return on ? 1 : 0;
    }

    private void gauge(String pool, String id, String name, String help, ToDoubleFunction<BackendStatus> value) {
        metrics.gauge(name, help, () -> current(pool, id, value), "backend", id, "pool", pool);
    }

    private double current(String pool, String id, ToDoubleFunction<BackendStatus> value) {
        RunningPool running = pools.all().get(pool);
        return running == null
                ? 0
                : running.directory().status().current().backends().stream()
                        .filter(backend -> backend.id().equals(id))
                        .mapToDouble(value)
                        .findFirst()
                        .orElse(0);
    }
}
