// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import io.albm.cache.http.RequestHandler;
import io.albm.cache.origin.OriginCache;
import io.albm.cache.origin.OriginSettings;
import io.albm.cache.origin.OriginStats;
import io.albm.cache.origin.Reach;
import io.albm.cache.store.MemoryLedger;
import io.albm.cache.store.ResidentControl;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.albm.core.admin.Health;
import io.albm.core.metrics.Metrics;
import io.albm.core.role.RoleContext;
import java.time.InstantSource;
import java.util.function.Predicate;

/** Responses of an HTTP origin. */
final class OriginEngine implements Engine {

    private final StoreSettings settings;
    private final StoreStats stats;
    private final OriginCache cache;

    OriginEngine(RoleContext context, OriginSettings origin) {
        settings = CacheServerConfig.store(context.configuration());
        stats = new StoreStats(context.metrics()::counter);
        cache = new OriginCache(
                origin,
                settings,
                stats,
                new OriginStats(context.metrics()::counter),
                context.transport(),
                context.clock(),
                InstantSource.system(),
                new HealthOf(context.health()));
    }

    /** The origin's reachability as part of this process's health, which logs each change. */
    private record HealthOf(Health health) implements Reach {
        private static final String COMPONENT = "origin";

        @Override
        public void reached() {
            health.clear(COMPONENT);
        }

        @Override
        public void unreachable(String reason) {
            health.warn(COMPONENT, reason);
        }
    }

    @Override
    public RequestHandler handler() {
        return cache.handler();
    }

    @Override
    public StoreSettings settings() {
        return settings;
    }

    @Override
    public StoreStats stats() {
        return stats;
    }

    @Override
    public ResidentControl<?> control() {
        return cache.control();
    }

    @Override
    public ResidentControl.Purged purge(Predicate<String> names) throws InterruptedException {
        return cache.purge(names);
    }

    @Override
    public MemoryLedger.Balance memory() {
        return cache.memory();
    }

    @Override
    public CacheRoutes.Warmer warmer() {
        return new Warming(cache::warm);
    }

    @Override
    public void publish(Metrics metrics) {
        metrics.gauge("cache_window_requests", "Requests that wait for their response.", cache::windowOccupancy);
        metrics.gauge(
                "cache_announced_requests", "Requests believed to wait at distributors.", cache::announcedOccupancy);
        metrics.gauge("cache_responses", "Responses in main memory.", cache::responses);
    }

    @Override
    public void close() {
        cache.close();
    }
}
