// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.metrics.Family;
import io.albm.core.metrics.Metrics;
import io.albm.distributor.backend.BackendStatus;
import io.albm.distributor.proxy.ProxyStats;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Gauges of the pools and their backends. Those of a backend are there as long as it is. */
final class DistributorMetrics {
    private static final List<Meter> OF_BACKENDS = List.of(
            new Meter("in_flight", "Requests sent to the backend and not answered in full", BackendStatus::inFlight),
            new Meter("takes_requests", "1 if the backend gets new requests", backend -> flag(backend.share() > 0)),
            new Meter(
                    "ejected",
                    "1 if the backend is out because its requests fail",
                    backend -> flag(backend.health().equals("ejected"))),
            new Meter("share", "Share of its requests that the backend takes, 0 to 1", BackendStatus::share),
            new Meter("relieved", "1 if the backend is relieved", backend -> flag(backend.relieved() != null)));

    private DistributorMetrics() {}

    /** What is measured of each backend. */
    private record Meter(String name, String help, ToDoubleFunction<BackendStatus> value) {
        Family.Value of(Measured one) {
            return new Family.Value(
                    new TreeMap<>(Map.of("backend", one.backend.id(), "pool", one.pool)),
                    value.applyAsDouble(one.backend));
        }
    }

    private record Measured(String pool, BackendStatus backend) {}

    static void publish(Metrics metrics, ProxyStats stats, Pools pools) {
        metrics.gauge("requests_in_flight", "Requests that are not answered in full", stats::inFlight);
        metrics.gauge("client_connections", "Connections of clients", stats::clients);
        metrics.gauge(
                "routing_panic",
                "1 while backends of a pool get requests that should not, because too few others can",
                () -> flag(pools.all().values().stream()
                        .anyMatch(pool -> pool.directory().status().panic())));
        metrics.families(() -> ofBackends(pools));
    }

    private static List<Family> ofBackends(Pools pools) {
        List<Measured> all = pools.all().entrySet().stream()
                .flatMap(pool -> pool.getValue().directory().status().current().backends().stream()
                        .map(backend -> new Measured(pool.getKey(), backend)))
                .toList();
        return OF_BACKENDS.stream()
                .map(meter -> new Family(
                        "backend_" + meter.name,
                        meter.help,
                        all.stream().map(meter::of).toList()))
                .toList();
    }

    private static double flag(boolean on) {
        return on ? 1 : 0;
    }
}
