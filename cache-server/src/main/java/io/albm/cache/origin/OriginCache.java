// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.http.RequestHandler;
import io.albm.cache.store.MemoryLedger;
import io.albm.cache.store.ResidentControl;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.albm.core.net.Transport;
import io.albm.core.time.MonotonicClock;
import io.netty.channel.EventLoop;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A shared cache by RFC 9111 in front of one HTTP origin: what all event loops have in common. Give {@link #handler} to an
 * HTTP server. Thread-safe.
 */
public final class OriginCache implements AutoCloseable {

    private final OriginSettings settings;
    private final OriginStats stats;
    private final Transport transport;
    private final MonotonicClock monotonic;
    private final InstantSource clock;
    private final Reach reach;
    private final ResponseCache cache;
    private final EventLoop warmingLoop;
    private final OriginHandler warming;

    /**
     * @param store bounds of memory and window; what it says of readers and files does not apply
     * @param clock the time that dates and ages are compared with
     * @param reach hears whether the origin can be reached
     */
    public OriginCache(
            OriginSettings settings,
            StoreSettings store,
            StoreStats storeStats,
            OriginStats stats,
            Transport transport,
            MonotonicClock monotonic,
            InstantSource clock,
            Reach reach) {
        this.settings = settings;
        this.stats = stats;
        this.transport = transport;
        this.monotonic = monotonic;
        this.clock = clock;
        this.reach = reach;
        cache = new ResponseCache(store, storeStats, stats, monotonic);
        warmingLoop = transport.eventLoops().next();
        warming = newHandler();
    }

    /** A handler for one event loop. */
    public RequestHandler handler() {
        return newHandler();
    }

    private OriginHandler newHandler() {
        return new OriginHandler(cache, settings, stats, transport, monotonic, clock, reach);
    }

    public OriginSettings settings() {
        return settings;
    }

    public OriginStats stats() {
        return stats;
    }

    /** Responses in main memory. */
    public int responses() {
        return cache.size();
    }

    /** Requests that wait for a response, as the policy knows them. */
    public int windowOccupancy() {
        return cache.windowOccupancy();
    }

    /** Requests that are believed to wait at distributors. */
    public int announcedOccupancy() {
        return cache.announcedOccupancy();
    }

    /** For operators: capacity, policy, purge, and what is kept. */
    public ResidentControl<ResponseKey> control() {
        return cache.control();
    }

    /**
     * Drops responses, and makes void those that are on their way. Blocks.
     *
     * @param names see {@link ResponseKey#isNamedBy}
     */
    public ResidentControl.Purged purge(Predicate<? super String> names) throws InterruptedException {
        return cache.purge(names);
    }

    /**
     * Fetches a response ahead of requests, as a GET that says nothing but what it wants. The caller bounds how many are
     * under way.
     *
     * @param name a URL, the same without {@code http://}, or a path for the host that the origin is
     * @param end is told once, on any thread, what came of it: {@code stored}, {@code no room}, {@code not cacheable},
     *     {@code answered} and a status, {@code failed}, {@code malformed}
     */
    public void warm(String name, Consumer<String> end) {
        warmingLoop.execute(() -> warming.warm(name, warmingLoop, end));
    }

    /** The books of the memory, of one moment. */
    public MemoryLedger.Balance memory() {
        return cache.balance();
    }

    /** Lets go of all responses; those being sent stay until they are. */
    @Override
    public void close() {
        cache.close();
    }
}
