// SPDX-License-Identifier: Apache-2.0
package io.albm.core.admin;

import io.albm.core.metrics.Metrics;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.web.WebHandler;
import io.albm.core.web.WebResponse;
import io.albm.core.web.WebServer;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What every process shows of itself:
 *
 * <ul>
 *   <li>{@code /health/live}: 200 while the event loops turn
 *   <li>{@code /health/ready}: 200 when it may get work, else 503; the reasons as JSON either way
 *   <li>{@code /metrics}: Prometheus text
 *   <li>{@code /jmx/…}: read-only JMX in Jolokia's JSON, {@code java.lang} and {@code io.albm} only
 * </ul>
 *
 * The two health routes answer on the event loop, from memory: they work when the process has all hands full. Thread-safe.
 */
public final class AdminServer implements AutoCloseable {

    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final WebServer server;
    private final JmxRoute jmx = new JmxRoute();

    /**
     * Binds and serves.
     *
     * @throws IOException if the address cannot be had
     */
    public AdminServer(Transport transport, NodeAddress address, Role role, NodeId id, Health health, Metrics metrics)
            throws IOException {
        server = new WebServer(transport, address, Map.of());
        server.routeInline("/", _ -> WebResponse.text(200, "/health/live\n/health/ready\n/metrics\n/jmx\n"));
        server.routeInline("/health/live", _ -> WebResponse.text(200, "live\n"));
        server.routeInline("/health/ready", _ -> ready(role, id, health.report()));
        server.route("/metrics", _ -> prometheus(metrics));
        server.route("/jmx", jmx);
        server.route("/jmx/", jmx);
    }

    /** Adds a route of the role's own; its handler may block. */
    public void route(String path, WebHandler handler) {
        server.route(path, handler);
    }

    /** Where the server really listens. */
    public NodeAddress address() {
        return server.address();
    }

    @Override
    public void close() {
        server.close();
        jmx.close();
    }

    /** The body of {@code /health/ready}. */
    public record Ready(Role role, NodeId id, boolean ready, List<Reason> reasons) {

        /** One reason, with its severity in lower case. */
        public record Reason(String component, String severity, String message, Instant since) {

            static Reason of(Health.Reason reason) {
                return new Reason(
                        reason.component(),
                        reason.severity().name().toLowerCase(Locale.ROOT),
                        reason.message(),
                        reason.since());
            }
        }
    }

    private static WebResponse ready(Role role, NodeId id, Health.Report report) {
        var reasons = report.reasons().stream().map(Ready.Reason::of).toList();
        return WebResponse.json(report.ready() ? 200 : 503, new Ready(role, id, report.ready(), reasons));
    }

    private static WebResponse prometheus(Metrics metrics) {
        return WebResponse.of(200, PROMETHEUS_TEXT, metrics.prometheusText());
    }
}
