// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.cluster.Subscription;
import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import io.albm.core.metrics.Latency;
import io.albm.core.metrics.Metrics;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleService;
import io.albm.core.web.WebResponse;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.BackendDirectory;
import io.albm.distributor.backend.BackendSettings;
import io.albm.distributor.backend.BackendSpec;
import io.albm.distributor.backend.BackendStatus;
import io.albm.distributor.backend.HealthProber;
import io.albm.distributor.proxy.AccessLog;
import io.albm.distributor.proxy.HttpProxy;
import io.albm.distributor.proxy.ProxyStats;
import io.albm.distributor.routing.RoutingPolicies;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Puts the distributor together: the cluster tells who is there and how they feel, the directory decides, the proxy moves
 * bytes. One of the event loops keeps the directory. When the cluster's directory service is away, the last view stays
 * and requests go on.
 */
final class Distributor implements RoleService {
    private static final String HTTP = "http";
    private static final String HTTPS = "https";
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(250);

    private final RoleContext context;
    private final Configuration configuration;
    private final Map<String, BackendSpec> configured;
    private final EventLoop control;
    private final ProxyStats stats;
    private final BackendDirectory directory;
    private final HealthProber prober;
    private final DrainMarks drainMarks;
    private final LiveSettings liveSettings;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final List<Future<?>> timers = new ArrayList<>();
    private final Set<String> measured = new HashSet<>();
    private volatile @Nullable HttpProxy proxy;
    private volatile @Nullable AccessLog log;

    Distributor(RoleContext context) {
        this.context = context;
        this.configuration = context.configuration();
        this.configured = DistributorConfig.backends(configuration);
        this.control = context.transport().eventLoops().next();
        this.stats = stats(context.metrics());
        var relief = DistributorConfig.relief(configuration);
        String policy = configuration.get(DistributorConfig.POLICY);
        BackendSettings backends = DistributorConfig.backendSettings(configuration);
        this.directory = new BackendDirectory("main", control, context.clock(), backends, policy, relief, this::retire);
        this.prober = new HealthProber(directory, context.transport().clientBootstrap(), control);
        this.drainMarks = new DrainMarks(context.cluster(), directory);
        this.liveSettings = new LiveSettings(
                directory,
                policy,
                relief,
                context.metrics().counter("live_settings_refused_total", "Live settings that made no sense"));
    }

    private static ProxyStats stats(Metrics metrics) {
        Latency latency = metrics.timer("request_seconds", "From a request's head to the end of its response");
        return new ProxyStats(metrics::counter, latency::record);
    }

    private void retire(Backend backend) {
        HttpProxy serving = proxy;
        if (serving != null) {
            serving.retire(backend);
        }
    }

    @Override
    public Member start() throws IOException {
        expect(Map.of());
        HttpProxy serving = HttpProxy.create(
                context.transport(),
                directory,
                DistributorConfig.proxySettings(configuration),
                stats,
                openLog(),
                context.clock());
        proxy = serving;
        Map<String, NodeAddress> endpoints = listen(serving);
        follow();
        every(LOOK_INTERVAL, directory::look);
        every(configuration.get(DistributorConfig.CHECK_INTERVAL), prober::probeAll);
        publish();
        return context.member(endpoints, Map.of("policies", String.join(",", RoutingPolicies.names())));
    }

    private @Nullable AccessLog openLog() {
        String file = configuration.get(DistributorConfig.ACCESS_LOG);
        if (file.isBlank()) {
            return null;
        }
        LongAdder dropped = context.metrics()
                .counter("access_log_dropped_total", "Lines of the access log that could not be written");
        try {
            AccessLog opened = AccessLog.open(Path.of(file), DistributorConfig.accessFormat(configuration), dropped);
            log = opened;
            return opened;
        } catch (IOException e) {
            throw new ConfigException(String.valueOf(e.getMessage()), e);
        }
    }

    private Map<String, NodeAddress> listen(HttpProxy serving) throws IOException {
        var endpoints = new TreeMap<String, NodeAddress>();
        endpoints.put(HTTP, serving.listen(context.bind(configuration.get(DistributorConfig.PORT)), null));
        String directoryOfCertificates = configuration.get(DistributorConfig.CERTIFICATES);
        if (!directoryOfCertificates.isBlank()) {
            var renewal = CertificateRenewal.of(Path.of(directoryOfCertificates), context);
            endpoints.put(
                    HTTPS,
                    serving.listen(
                            context.bind(configuration.get(DistributorConfig.TLS_PORT)), renewal.certificates()));
            every(CertificateRenewal.INTERVAL, renewal::look);
        }
        return endpoints;
    }

    private void follow() {
        var cluster = context.cluster();
        subscriptions.add(cluster.members(Role.CACHE_SERVER).onChange(this::expect));
        subscriptions.add(cluster.members(Role.DISTRIBUTOR).onChange(members -> directory.shareWith(members.size())));
        subscriptions.add(cluster.counters().onChange(directory::report));
        subscriptions.add(cluster.configuration(LiveSettings.SCOPE).onChange(liveSettings::apply));
    }

    private void every(Duration interval, Runnable work) {
        timers.add(control.scheduleWithFixedDelay(work, 0, interval.toNanos(), TimeUnit.NANOSECONDS));
    }

    private synchronized void expect(Map<NodeId, Member> members) {
        var specs = new TreeMap<>(configured);
        members.forEach((id, member) -> member.endpoint(HTTP)
                .ifPresent(address -> specs.put(
                        id.value(),
                        new BackendSpec(
                                address,
                                member.attribute("host").map(NodeId::new).orElse(null)))));
        directory.expect(specs);
        Set<String> ids = new HashSet<>(specs.keySet());
        ids.removeAll(configured.keySet());
        drainMarks.watch(ids);
        specs.keySet().stream().filter(measured::add).forEach(this::measure);
    }

    private void publish() {
        Metrics metrics = context.metrics();
        metrics.gauge("requests_in_flight", "Requests that are not answered in full", stats::inFlight);
        metrics.gauge(
                "routing_panic",
                "1 while backends get requests that should not, because too few others can",
                () -> flag(directory.status().panic()));
        metrics.gauge("client_connections", "Connections of clients", stats::clients);
        context.admin()
                .route("/routing", _ -> WebResponse.json(200, directory.status().current()));
    }

    private void measure(String id) {
        gauge(
                id,
                "backend_in_flight",
                "Requests sent to the backend and not answered in full",
                BackendStatus::inFlight);
        gauge(id, "backend_takes_requests", "1 if the backend gets new requests", backend -> flag(backend.share() > 0));
        gauge(
                id,
                "backend_ejected",
                "1 if the backend is out because its requests fail",
                backend -> flag(backend.health().equals("ejected")));
        gauge(id, "backend_share", "Share of its requests that the backend takes, 0 to 1", BackendStatus::share);
        gauge(id, "backend_relieved", "1 if the backend is relieved", backend -> flag(backend.relieved() != null));
    }

    private static double flag(boolean on) {
        return on ? 1 : 0;
    }

    private void gauge(String id, String name, String help, ToDoubleFunction<BackendStatus> value) {
        context.metrics().gauge(name, help, () -> current(id, value), "backend", id);
    }

    private double current(String id, ToDoubleFunction<BackendStatus> value) {
        return directory.status().current().backends().stream()
                .filter(backend -> backend.id().equals(id))
                .mapToDouble(value)
                .findFirst()
                .orElse(0);
    }

    @Override
    public void drain(Duration bound) throws InterruptedException {
        HttpProxy serving = proxy;
        if (serving != null) {
            serving.drain(bound);
        }
    }

    @Override
    public void close() {
        subscriptions.forEach(Subscription::close);
        drainMarks.close();
        timers.forEach(timer -> timer.cancel(false));
        HttpProxy serving = proxy;
        if (serving != null) {
            serving.close();
        }
        AccessLog opened = log;
        if (opened != null) {
            opened.close();
        }
    }
}
