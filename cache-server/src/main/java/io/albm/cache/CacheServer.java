// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import io.albm.cache.http.AnnouncementReader;
import io.albm.cache.http.HttpServer;
import io.albm.cache.http.HttpSettings;
import io.albm.cache.http.HttpStats;
import io.albm.cache.http.RequestHandler;
import io.albm.cache.load.HostLoad;
import io.albm.cache.load.LoadReporter;
import io.albm.cache.policy.MeasuredReadCost.Objective;
import io.albm.core.cluster.Subscription;
import io.albm.core.live.LiveSettings;
import io.albm.core.metrics.Metrics;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleService;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One cache server: an engine, with HTTP in front. */
final class CacheServer implements RoleService {

    private static final Logger log = LoggerFactory.getLogger(CacheServer.class);

    private static final double NANOS = 1e9;

    private final RoleContext context;
    private final HttpSettings http;
    private final Engine engine;
    private final LiveSettings liveSettings;
    private @Nullable Subscription subscription;
    private @Nullable HttpServer server;
    private @Nullable HostLoad host;
    private @Nullable LoadReporter load;

    CacheServer(RoleContext context, Engine engine) {
        this.context = context;
        this.engine = engine;
        http = CacheServerConfig.http(context.configuration());
        Objective objective = Objective.of(context.configuration().get(CacheServerConfig.OBJECTIVE));
        engine.control().changeObjective(objective);
        liveSettings = new LiveSettings(
                new CacheSettings(
                        context.id(),
                        engine.control(),
                        engine.settings().capacityBytes(),
                        engine.settings().policy(),
                        objective)::change,
                context.transport().blocking(),
                context.health(),
                context.metrics().counter("live_settings_refused_total", "Live settings that were refused"));
    }

    @Override
    public Member start() throws Exception {
        NodeAddress address = context.bind(context.configuration().get(CacheServerConfig.PORT));
        HttpStats stats = new HttpStats(context.metrics()::counter);
        HttpServer started = new HttpServer(address, handlers(), context.transport(), http, stats);
        server = started;
        publish(context.metrics(), started);
        new CacheRoutes(engine, liveSettings).serve(context.admin());
        subscription = context.cluster().configuration(CacheSettings.SCOPE).onChange(liveSettings::apply);
        if (context.configuration().get(CacheServerConfig.ORCA_HEADER)) {
            reportLoad(started, stats);
        }
        return context.member(
                Map.of("http", started.address()),
                Map.of(
                        "host", CacheServerConfig.host(context.configuration()),
                        "capacity-bytes", Long.toString(engine.settings().capacityBytes()),
                        "policy", engine.settings().policy()));
    }

    private Supplier<RequestHandler> handlers() {
        if (engine.settings().announcedLimit() == 0) {
            return engine::handler;
        }
        LongAdder malformed = context.metrics()
                .counter(
                        "cache_malformed_announcements_total",
                        "What requests said of others that wait and could not be read.");
        return () -> new AnnouncementReader(engine.handler(), malformed);
    }

    private void reportLoad(HttpServer started, HttpStats stats) {
        HostLoad opened = HostLoad.open();
        host = opened;
        LoadReporter reporter = new LoadReporter(
                stats,
                opened::cpu,
                opened::memory,
                started::reportLoad,
                context.clock().nanoTime());
        reporter.start(context.clock());
        load = reporter;
    }

    private void publish(Metrics metrics, HttpServer started) {
        engine.publish(metrics);
        metrics.gauge(
                "cache_object_hit_ratio",
                "Share of requests that needed no read from the source, 0 to 1.",
                engine.stats()::objectHitRatio);
        metrics.gauge(
                "cache_byte_hit_ratio",
                "Share of requested bytes that were not read from the source, 0 to 1.",
                engine.stats()::byteHitRatio);
        metrics.gauge(
                "cache_resident_bytes",
                "Bytes kept in main memory.",
                () -> engine.memory().resident());
        metrics.gauge(
                "cache_resident_heap_bytes",
                "Of the bytes kept in main memory, those of heads, names and index on the heap, estimated from above.",
                () -> engine.memory().heap());
        metrics.gauge(
                "cache_capacity_bytes",
                "Most bytes kept in main memory.",
                () -> engine.memory().bounds().residentBytes());
        metrics.gauge(
                "cache_transit_bytes",
                "Bytes read, streamed, or evicted while they are sent.",
                () -> engine.memory().transit());
        metrics.gauge(
                "cache_transit_limit_bytes",
                "Most bytes read, streamed, or evicted while they are sent.",
                () -> engine.memory().bounds().transitBytes());
        metrics.gauge(
                "cache_read_cost_seconds",
                "What a read from the source takes before its first byte, as learned for the objective read-time.",
                () -> engine.control().readCost().nanos() / NANOS);
        metrics.gauge(
                "cache_read_cost_seconds_per_byte",
                "What each byte of a read adds, as learned for the objective read-time.",
                () -> engine.control().readCost().nanosPerByte() / NANOS);
        metrics.gauge("http_connections", "Connections of clients.", started::connections);
        publishPool(metrics);
    }

    private void publishPool(Metrics metrics) {
        if (context.transport().allocator() instanceof ByteBufAllocatorMetricProvider pool) {
            metrics.gauge(
                    "buffer_pool_bytes",
                    "Direct memory of the pool of buffers, with what it rounds up and keeps for later.",
                    () -> pool.metric().usedDirectMemory());
        }
    }

    @Override
    public void drain(Duration bound) throws InterruptedException {
        HttpServer started = server;
        if (started != null && !started.drain(bound)) {
            log.warn("gave up {} connections after {}", started.connections(), bound);
        }
    }

    @Override
    public void close() {
        Subscription following = subscription;
        if (following != null) {
            following.close();
        }
        closeLoad();
        HttpServer started = server;
        if (started != null) {
            started.close();
        }
        engine.close();
    }

    private void closeLoad() {
        if (load != null) {
            load.close();
        }
        if (host != null) {
            try {
                host.close();
            } catch (IOException e) {
                log.warn("the host's counters could not be closed", e);
            }
        }
    }
}
