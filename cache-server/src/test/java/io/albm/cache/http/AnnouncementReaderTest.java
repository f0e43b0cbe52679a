// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.documents.DocumentHandler;
import io.albm.cache.documents.DocumentHeads;
import io.albm.cache.source.CompressingSource;
import io.albm.cache.source.DirectorySource;
import io.albm.cache.store.DocumentStore;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.time.MonotonicClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What requests say of others, with a directory behind, over real sockets. */
class AnnouncementReaderTest {

    private static final Duration LONG = Duration.ofSeconds(4);

    @TempDir
    private Path root;

    private final AtomicLong nanos = new AtomicLong();
    private final LongAdder malformed = new LongAdder();
    private Transport transport;
    private DocumentStore store;
    private HttpServer server;
    private RawClient client;

    @BeforeEach
    void serve() throws Exception {
        Files.writeString(root.resolve("a.txt"), "a".repeat(2000));
        Files.writeString(root.resolve("b.bin"), "b");
        transport = Transport.open(1);
        StoreStats.Counters counters = (name, help, tags) -> new LongAdder();
        MonotonicClock clock = nanos::get;
        store = new DocumentStore(
                new CompressingSource(new DirectorySource(root), 2),
                new DocumentHeads(),
                new StoreSettings(1 << 20, "window-aware", 64, 64, 4, 100, Duration.ofHours(1), LONG),
                new StoreStats(counters),
                transport.blocking(),
                transport.allocator(),
                clock);
        server = new HttpServer(
                new NodeAddress("127.0.0.1", 0),
                () -> new AnnouncementReader(new DocumentHandler(store, transport.blocking(), false), malformed),
                transport,
                HttpSettings.DEFAULTS,
                new HttpStats(counters));
        client = new RawClient(server.address());
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.close();
        store.close();
        transport.close();
    }

    private int status(String target, String... headers) throws IOException {
        return client.get(target, headers).status();
    }

    @Test
    void anAnnouncedRequestStandsInTheWindowUntilItComes() throws IOException {
        assertThat(status("/b.bin", "Albm-Waiting: \"/a.txt?x=1\", \"//elsewhere/b.bin\""))
                .isEqualTo(200);
        assertThat(store.announcedOccupancy()).isEqualTo(1);
        assertThat(store.windowOccupancy()).isZero();

        assertThat(status("/a.txt")).isEqualTo(200);
        assertThat(store.announcedOccupancy()).isZero();
        assertThat(malformed.sum()).isZero();
    }

    @Test
    void anAnnouncedRequestThatDoesNotComeIsForgotten() throws IOException {
        status("/b.bin", "Albm-Waiting: \"/a.txt\"");
        assertThat(store.announcedOccupancy()).isEqualTo(1);

        nanos.addAndGet(LONG.toNanos());

        assertThat(store.announcedOccupancy()).isZero();
    }

    @Test
    void whoWaitsIsThoughtToAcceptTheSameCodings() throws IOException {
        String coding = "Accept-Encoding: gzip";
        assertThat(client.get("/b.bin", coding, "Albm-Waiting: \"/a.txt\"").status())
                .isEqualTo(200);

        assertThat(client.get("/a.txt", coding).header("content-encoding")).isEqualTo("gzip");

        assertThat(store.announcedOccupancy()).isZero();
    }

    @Test
    void whatCannotBeReadIsCountedAndOtherwiseIgnored() throws IOException {
        assertThat(status("/b.bin", "Albm-Waiting: /a.txt")).isEqualTo(200);
        assertThat(malformed.sum()).isEqualTo(1);
        assertThat(status("/b.bin", "Albm-Waiting: \"/../a.txt\", \"/a.txt\"")).isEqualTo(200);
        assertThat(malformed.sum()).isEqualTo(2);
        assertThat(store.announcedOccupancy()).isEqualTo(1);
    }
}
