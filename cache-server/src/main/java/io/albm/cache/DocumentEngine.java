// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import io.albm.cache.documents.DocumentHandler;
import io.albm.cache.documents.DocumentHeads;
import io.albm.cache.http.RequestHandler;
import io.albm.cache.source.CompressingSource;
import io.albm.cache.source.DocumentSource;
import io.albm.cache.source.SettledSource;
import io.albm.cache.store.DocumentStore;
import io.albm.cache.store.MemoryLedger;
import io.albm.cache.store.ResidentControl;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.albm.core.metrics.Latency;
import io.albm.core.metrics.Metrics;
import io.albm.core.role.RoleContext;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** Documents of a directory, or of the striped storage. */
final class DocumentEngine implements Engine {

    private static final List<Duration> READ_BOUNDS = LongStream.of(
                    50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
                    1_000_000, 5_000_000)
            .mapToObj(micros -> Duration.of(micros, ChronoUnit.MICROS))
            .toList();

    private final RoleContext context;
    private final DocumentStore store;
    private final Runnable closeSource;

    /** @param closeSource lets go of what the source reads through */
    DocumentEngine(RoleContext context, DocumentSource source, Runnable closeSource) {
        this.context = context;
        this.closeSource = closeSource;
        store = new DocumentStore(
                new CompressingSource(
                        new SettledSource(source, InstantSource.system(), Thread::sleep),
                        Runtime.getRuntime().availableProcessors()),
                new DocumentHeads(),
                CacheServerConfig.store(context.configuration()),
                new StoreStats(context.metrics()::counter, readLatency(context.metrics())::record),
                context.transport().blocking(),
                context.transport().allocator(),
                context.clock());
    }

    private static Latency readLatency(Metrics metrics) {
        return metrics.histogram(
                "cache_read_seconds",
                "Time to read a whole document into memory, from opening it; without the wait for a reader.",
                READ_BOUNDS);
    }

    @Override
    public RequestHandler handler() {
        return new DocumentHandler(
                store, context.transport().blocking(), CacheServerConfig.sendsFiles(context.configuration()));
    }

    @Override
    public StoreSettings settings() {
        return store.settings();
    }

    @Override
    public StoreStats stats() {
        return store.stats();
    }

    @Override
    public ResidentControl<?> control() {
        return store.control();
    }

    @Override
    public ResidentControl.Purged purge(Predicate<String> names) throws InterruptedException {
        return store.control().purge(path -> names.test(path.value()) || names.test(path.toString()));
    }

    @Override
    public MemoryLedger.Balance memory() {
        return store.memory();
    }

    @Override
    public CacheRoutes.Warmer warmer() {
        return new Warming(new WarmDocuments(store));
    }

    @Override
    public void publish(Metrics metrics) {
        metrics.gauge("cache_window_requests", "Requests that wait for their document.", store::windowOccupancy);
        metrics.gauge(
                "cache_announced_requests", "Requests believed to wait at distributors.", store::announcedOccupancy);
        metrics.gauge("cache_queued_reads", "Documents that wait for a reader.", store::queuedReads);
        metrics.gauge("cache_documents", "Documents in main memory.", store::residents);
    }

    @Override
    public void close() {
        store.close();
        closeSource.run();
    }
}
