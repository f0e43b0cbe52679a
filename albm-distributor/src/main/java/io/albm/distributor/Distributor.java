// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.admin.AdminServer;
import io.albm.core.cluster.Subscription;
import io.albm.core.config.CommonKeys;
import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import io.albm.core.live.LiveSettings;
import io.albm.core.metrics.Latency;
import io.albm.core.metrics.Metrics;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleService;
import io.albm.core.topology.FrontendMode;
import io.albm.core.topology.FrontendSpec;
import io.albm.core.topology.Mistake;
import io.albm.core.topology.TopologyException;
import io.albm.core.web.WebResponse;
import io.albm.distributor.proxy.AccessLog;
import io.albm.distributor.proxy.HttpProxy;
import io.albm.distributor.proxy.ProxyStats;
import io.albm.distributor.routing.ReliefSettings;
import io.albm.distributor.routing.RoutingPolicies;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Puts the distributor together: the cluster tells who is there, how they feel and what is to be served; pools decide, the
 * proxy moves bytes. One of the event loops keeps the pools' books. When the cluster's directory service is away, the last
 * view stays and requests go on.
 */
final class Distributor implements RoleService {
    private static final String HTTP = "http";
    private static final String HTTPS = "https";

    private final RoleContext context;
    private final Configuration configuration;
    private final EventLoop control;
    private final HttpProxy proxy;
    private final @Nullable AccessLog log;
    private final Pools pools;
    private final Certificates certificates;
    private final Served served;
    private final TopologySettings topologySettings;
    private final LiveSettings liveSettings;
    private final DrainMarks drainMarks;
    private final Statistics statistics;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final List<Future<?>> timers = new ArrayList<>();

    Distributor(RoleContext context) {
        this.context = context;
        this.configuration = context.configuration();
        this.control = context.transport().eventLoops().next();
        ReliefSettings relief = ReliefKeys.settings(configuration);
        Map<String, String> start = StartTopology.settings(context);
        ProxyStats stats = stats(context.metrics());
        this.log = openLog();
        this.proxy =
                HttpProxy.create(context.transport(), ProxyKeys.settings(configuration), stats, log, context.clock());
        this.pools = new Pools(parts(stats));
        this.certificates = new Certificates(context);
        this.served = new Served(
                certificates, pools, new Frontends(proxy, pools::pool), configuration.get(CommonKeys.INSECURE));
        this.topologySettings = new TopologySettings(start, relief, served);
        this.liveSettings = new LiveSettings(
                topologySettings::change,
                context.transport().blocking(),
                context.health(),
                context.metrics().counter("live_settings_refused_total", "Live settings that were refused"));
        this.drainMarks = new DrainMarks(context.cluster(), pools::drained);
        this.statistics =
                new Statistics(served, configuration.get(ProxyKeys.MAX_CLIENTS), context.id(), context.clock());
        context.metrics().families(() -> StatisticsMetrics.of(statistics.rows()));
        DistributorMetrics.publish(context.metrics(), stats, pools);
    }

    private static ProxyStats stats(Metrics metrics) {
        Latency latency = metrics.timer("request_seconds", "From a request's head to the end of its response");
        return new ProxyStats(metrics::counter, latency::record);
    }

    private PoolParts parts(ProxyStats stats) {
        return new PoolParts(
                control,
                context.transport().blocking(),
                context.clock(),
                context.transport().clientBootstrap(),
                stats,
                proxy::retire,
                BackendKeys.settings(configuration),
                configuration.get(ProxyKeys.QUEUE_SIZE),
                configuration.get(ProxyKeys.QUEUE_TIMEOUT),
                configuration.get(ProxyKeys.ANNOUNCE_WAITING));
    }

    private @Nullable AccessLog openLog() {
        String file = configuration.get(ServingKeys.ACCESS_LOG);
        if (file.isBlank()) {
            return null;
        }
        LongAdder dropped = context.metrics()
                .counter("access_log_dropped_total", "Lines of the access log that could not be written");
        try {
            return AccessLog.open(Path.of(file), ServingKeys.accessFormat(configuration), dropped);
        } catch (IOException e) {
            throw new ConfigException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public Member start() throws IOException {
        begin();
        follow();
        every(Certificates.INTERVAL, certificates::look);
        every(Statistics.INTERVAL, () -> context.transport().blocking().execute(statistics::look));
        showStatistics();
        context.admin().route("/routing", new RoutingRoute(served));
        context.admin()
                .route(
                        "/frontends",
                        _ -> WebResponse.json(200, TopologyStatus.of(served, topologySettings, liveSettings)));
        return context.member(endpoints(), Map.of("policies", String.join(",", RoutingPolicies.names())));
    }

    /** Also under the paths that tools made for HAProxy ask for. */
    private void showStatistics() {
        AdminServer admin = context.admin();
        admin.route("/stats", statistics::page);
        admin.route("/stats;norefresh", statistics::page);
        admin.route("/stats;csv", statistics::csv);
        admin.route("/stats;csv;norefresh", statistics::csv);
        admin.route("/stats;json", statistics::json);
    }

    /** An address that is taken is no mistake of the configuration. */
    private void begin() throws IOException {
        List<Mistake> mistakes = liveSettings.begin();
        if (mistakes.isEmpty()) {
            return;
        }
        if (mistakes.stream().allMatch(mistake -> mistake.key().endsWith(".bind"))) {
            throw new IOException(mistakes.stream().map(Mistake::text).collect(Collectors.joining("; ")));
        }
        throw new ConfigException(String.valueOf(new TopologyException(mistakes).getMessage()));
    }

    /** Where clients found the frontends at the start: each by its name, and the first of each kind by its scheme. */
    private Map<String, NodeAddress> endpoints() {
        var endpoints = new TreeMap<String, NodeAddress>();
        served.frontends().forEach((name, entry) -> {
            NodeAddress address = entry.listener().address();
            FrontendSpec spec = entry.frontend().terms().spec();
            if (spec.mode() == FrontendMode.HTTP || name.equals(StartTopology.MAIN)) {
                endpoints.putIfAbsent(spec.certificates() == null ? HTTP : HTTPS, address);
            }
            if (!name.equals(StartTopology.MAIN) && !name.equals(StartTopology.MAIN_TLS)) {
                endpoints.put(name, address);
            }
        });
        return endpoints;
    }

    private void follow() {
        var cluster = context.cluster();
        subscriptions.add(cluster.members(Role.CACHE_SERVER).onChange(this::members));
        subscriptions.add(cluster.members(Role.DISTRIBUTOR).onChange(members -> pools.distributors(members.size())));
        subscriptions.add(cluster.counters().onChange(pools::reports));
        subscriptions.add(cluster.configuration(TopologySettings.SCOPE).onChange(liveSettings::apply));
    }

    private void members(Map<NodeId, Member> members) {
        pools.members(members);
        drainMarks.watch(members.keySet().stream().map(NodeId::value).collect(Collectors.toSet()));
    }

    private void every(Duration interval, Runnable work) {
        timers.add(control.scheduleWithFixedDelay(work, 0, interval.toNanos(), TimeUnit.NANOSECONDS));
    }

    @Override
    public void drain(Duration bound) throws InterruptedException {
        unfollow();
        proxy.drain(bound);
    }

    private void unfollow() {
        subscriptions.forEach(Subscription::close);
        subscriptions.clear();
    }

    @Override
    public void close() {
        unfollow();
        drainMarks.close();
        timers.forEach(timer -> timer.cancel(false));
        pools.close();
        proxy.close();
        if (log != null) {
            log.close();
        }
    }
}
