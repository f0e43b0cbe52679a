// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.cache.documents.DocumentHandler;
import io.albm.cache.documents.DocumentHeads;
import io.albm.cache.http.RawClient.Response;
import io.albm.cache.source.Coding;
import io.albm.cache.source.DirectorySource;
import io.albm.cache.source.DocumentPath;
import io.albm.cache.source.DocumentSource;
import io.albm.cache.source.OpenDocument;
import io.albm.cache.source.Version;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients get when reading or answering goes wrong, over real sockets. */
class BrokenDocumentsTest {

    @TempDir
    private Path root;

    private final CountDownLatch atGate = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private Transport transport;
    private DocumentStore store;
    private HttpServer server;

    /** A directory whose files in brotli fail, whose slow files wait, and whose bad.txt is not even an exception. */
    private final class BreakingSource implements DocumentSource {
        private final DirectorySource directory;

        private BreakingSource(DirectorySource directory) {
            this.directory = directory;
        }

        @Override
        public Version version(DocumentPath path) throws IOException {
            return directory.version(path);
        }

        @Override
        public OpenDocument open(DocumentPath path) throws IOException {
            if (path.coding() == Coding.BROTLI) {
                throw new IOException("disk");
            }
            if (path.value().equals("/bad.txt")) {
                throw new LinkageError("broken");
            }
            if (path.value().startsWith("/slow")) {
                awaitGate();
            }
            return directory.open(path);
        }

        private void awaitGate() throws IOException {
            atGate.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    @BeforeEach
    void serve() throws Exception {
        Files.writeString(root.resolve("a.txt"), "0123456789");
        Files.writeString(root.resolve("a.txt.br"), "by brotli");
        Files.writeString(root.resolve("a.txt.gz"), "by gzip");
        Files.writeString(root.resolve("only.txt"), "only");
        Files.writeString(root.resolve("only.txt.br"), "by brotli");
        Files.writeString(root.resolve("bad.txt"), "bad");
        Files.writeString(root.resolve("slow-1.txt"), "slow");
        Files.writeString(root.resolve("slow-2.txt"), "slow");
        Files.write(root.resolve("large.bin"), new byte[4 << 20]);
        transport = Transport.open(1);
        StoreSettings bounds = new StoreSettings(4 << 20, "lru", 64, 1, 1, Duration.ofHours(1), Duration.ofSeconds(5));
        StoreStats.Counters counters = (name, help, tags) -> new LongAdder();
        store = new DocumentStore(
                new BreakingSource(new DirectorySource(root)),
                new DocumentHeads(),
                bounds,
                new StoreStats(counters),
                transport.blocking(),
                transport.allocator(),
                MonotonicClock.system());
        server = new HttpServer(
                new NodeAddress("127.0.0.1", 0),
                () -> new DocumentHandler(
                        store,
                        task -> {
                            throw new OutOfMemoryError("no thread");
                        },
                        false),
                transport,
                HttpSettings.DEFAULTS,
                new HttpStats(counters));
    }

    @AfterEach
    void freesEveryByte() {
        gate.countDown();
        server.close();
        store.close();
        await().untilAsserted(() ->
                assertThat(store.residentBytes() + store.transitBytes()).isZero());
        transport.close();
    }

    private Response get(String target, String... headers) throws IOException {
        try (RawClient client = new RawClient(server.address())) {
            return client.get(target, headers);
        }
    }

    @Test
    void goesOnToTheNextCodingWhereOneCannotBeRead() throws IOException {
        assertThat(get("/a.txt", "Accept-Encoding: br, gzip").text()).isEqualTo("by gzip");
        assertThat(get("/a.txt", "Accept-Encoding: br").text()).isEqualTo("0123456789");
        assertThat(get("/a.txt", "Accept-Encoding: br, identity;q=0").status()).isEqualTo(500);
    }

    @Test
    void servesTheDocumentItselfWhileNoReaderIsFreeForAnotherCoding() throws IOException {
        assertThat(get("/only.txt").text()).isEqualTo("only");
        try (RawClient slow = new RawClient(server.address())) {
            slow.request("GET", "/slow-1.txt");
            // The reader of the request before may have answered and not ended: then both would wait, and one is too
            // many.
            await().until(() -> atGate.getCount() == 0);
            slow.request("GET", "/slow-2.txt");
            await().until(() -> store.queuedReads() == 1);

            assertThat(get("/only.txt", "Accept-Encoding: br").text()).isEqualTo("only");
            assertThat(get("/only.txt", "Accept-Encoding: br, identity;q=0").status())
                    .isEqualTo(503);

            gate.countDown();
            assertThat(slow.receive(true).text()).isEqualTo("slow");
            assertThat(slow.receive(true).text()).isEqualTo("slow");
        }
    }

    @Test
    void answersThoughAReaderBreaks() throws IOException {
        assertThat(get("/bad.txt").status()).isEqualTo(500);
        assertThat(get("/bad.txt").status()).isEqualTo(500);
        assertThat(get("/a.txt").text()).isEqualTo("0123456789");
        assertThat(store.stats().failures()).isEqualTo(2);
    }

    @Test
    void answersThoughAReplyBreaks() throws IOException {
        try (RawClient client = new RawClient(server.address())) {
            assertThat(client.get("/large.bin").status()).isEqualTo(500);
            assertThat(client.get("/a.txt").text()).isEqualTo("0123456789");
        }
        assertThat(server.stats().serverErrors()).isEqualTo(1);
    }
}
