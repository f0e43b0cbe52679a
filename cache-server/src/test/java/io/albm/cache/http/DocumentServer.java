// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.cache.documents.DocumentHandler;
import io.albm.cache.documents.DocumentHeads;
import io.albm.cache.source.CompressingSource;
import io.albm.cache.source.DirectorySource;
import io.albm.cache.source.SettledSource;
import io.albm.cache.store.DocumentStore;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.time.MonotonicClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.LongAdder;
import org.awaitility.core.ConditionFactory;

/** The server of a directory, put together as in production, with room for 4 MiB of documents, on a free port. */
final class DocumentServer implements AutoCloseable {
    private static final long CAPACITY = 4 << 20;

    final DocumentStore store;
    final HttpServer http;

    DocumentServer(Path root, Transport transport, HttpSettings settings, Duration checkInterval, boolean sendFiles)
            throws IOException {
        StoreStats.Counters counters = (name, help, tags) -> new LongAdder();
        store = new DocumentStore(
                new CompressingSource(
                        new SettledSource(new DirectorySource(root), InstantSource.system(), Thread::sleep), 2),
                new DocumentHeads(),
                new StoreSettings(CAPACITY, "window-lru", 64, 8, 100, checkInterval, Duration.ofSeconds(5)),
                new StoreStats(counters),
                transport.blocking(),
                transport.allocator(),
                MonotonicClock.system());
        http = new HttpServer(
                new NodeAddress("127.0.0.1", 0),
                () -> new DocumentHandler(store, transport.blocking(), sendFiles),
                transport,
                settings,
                new HttpStats(counters));
    }

    RawClient connect() throws IOException {
        return new RawClient(http.address());
    }

    /** Waits for what happens in some milliseconds. */
    static ConditionFactory soon() {
        return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
    }

    /** Ends it, and looks whether every byte of memory was given back. */
    @Override
    public void close() {
        http.close();
        store.close();
        soon().untilAsserted(() ->
                assertThat(store.residentBytes() + store.transitBytes()).isZero());
    }
}
