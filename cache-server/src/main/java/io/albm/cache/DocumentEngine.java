// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import io.albm.cache.documents.DocumentHandler;
import io.albm.cache.documents.DocumentHeads;
import io.albm.cache.http.RequestHandler;
import io.albm.cache.source.CompressingSource;
import io.albm.cache.source.DocumentSource;
import io.albm.cache.store.DocumentStore;
import io.albm.cache.store.MemoryLedger;
import io.albm.cache.store.ResidentControl;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.albm.core.metrics.Metrics;
import io.albm.core.role.RoleContext;
import java.time.Instant;
import java.util.function.Predicate;

/** Documents of a directory. */
final class DocumentEngine implements Engine {

    private final RoleContext context;
    private final DocumentStore store;

    DocumentEngine(RoleContext context, DocumentSource source) {
        this.context = context;
        store = new DocumentStore(
                new CompressingSource(source, Runtime.getRuntime().availableProcessors()),
                new DocumentHeads(),
                CacheServerConfig.store(context.configuration()),
                new StoreStats(context.metrics()::counter),
                context.transport().blocking(),
                context.transport().allocator(),
                context.clock(),
                Instant::now);
    }

    @Override
    public RequestHandler handler() {
        return new DocumentHandler(
                store, context.transport().blocking(), CacheServerConfig.documents(context.configuration()));
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
    public ResidentControl.Purged purge(Predicate<Object> names) throws InterruptedException {
        return store.control().purge(names);
    }

    @Override
    public MemoryLedger.Balance memory() {
        return store.memory();
    }

    @Override
    public CacheRoutes.Warmer warmer() {
        return new Warming(store);
    }

    @Override
    public void publish(Metrics metrics) {
        metrics.gauge("cache_window_requests", "Requests that wait for their document.", store::windowOccupancy);
        metrics.gauge("cache_queued_reads", "Documents that wait for a reader.", store::queuedReads);
        metrics.gauge("cache_documents", "Documents in main memory.", store::residents);
    }

    @Override
    public void close() {
        store.close();
    }
}
