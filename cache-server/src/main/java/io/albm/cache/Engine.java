// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import io.albm.cache.http.RequestHandler;
import io.albm.cache.store.MemoryLedger;
import io.albm.cache.store.ResidentControl;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.albm.core.metrics.Metrics;
import java.util.function.Predicate;

/** What stands behind HTTP: what replies are made of, in main memory and beyond it. Thread-safe. */
interface Engine extends AutoCloseable {

    /** A handler for one event loop. */
    RequestHandler handler();

    /** How it was started. */
    StoreSettings settings();

    StoreStats stats();

    ResidentControl<?> control();

    /** The books of the memory, of one moment. */
    MemoryLedger.Balance memory();

    /**
     * Drops what operators name. Blocks.
     *
     * @param names over keys, by their text, and over that of a document for all its codings
     */
    ResidentControl.Purged purge(Predicate<String> names) throws InterruptedException;

    /** Reads what operators want in main memory. */
    CacheRoutes.Warmer warmer();

    /** Registers what it has beyond what all engines have. */
    void publish(Metrics metrics);

    /** Lets go of what is kept; bytes of responses under way stay until these end. */
    @Override
    void close();
}
