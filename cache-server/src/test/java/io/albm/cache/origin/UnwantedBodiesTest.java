// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that are of no use to anybody, and have no end: who reads them loses a connection for good. */
class UnwantedBodiesTest extends OriginHarness {

    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";
    private static final String CHUNK = "1000\r\n" + "x".repeat(1 << 12) + "\r\n";

    private final CountDownLatch ended = new CountDownLatch(1);

    /** Sends a body until the cache ends the connection. */
    private void send(OutputStream to, String head) throws IOException {
        try {
            ScriptedOrigin.write(to, head);
            while (true) {
                ScriptedOrigin.write(to, CHUNK);
            }
        } finally {
            ended.countDown();
        }
    }

    private void assertThatTheCacheEndsIt() throws InterruptedException {
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-store", "max-age=60"})
    void areNotReadForAClientThatLeftBefore(String cacheControl) throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        origin.answer((request, to) -> {
            left.await();
            send(to, "HTTP/1.1 200 OK\r\nCache-Control: " + cacheControl + "\r\n" + CHUNKED);
        });
        try (Socket socket =
                new Socket(server.address().host(), server.address().port())) {
            socket.setSoLinger(true, 0); // Reset: who only ends what it sends may still read.
            socket.getOutputStream().write("GET /a HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            await().until(() -> origin.asked().size() == 1);
        }
        await().until(() -> server.connections() == 0);
        left.countDown();
        assertThatTheCacheEndsIt();
        await().until(() -> cache.memory().transit() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 5000000000000\r\n\r\n", CHUNKED})
    void areNotReadForAClientThatHasThem(String framing) throws Exception {
        origin.answer(
                (request, to) -> send(to, "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nETag: \"a\"\r\n" + framing));
        assertThat(get("/a", "If-None-Match", "*").statusCode()).isEqualTo(304);
        assertThatTheCacheEndsIt();
    }

    @Test
    void areNotReadAheadOfClients() throws Exception {
        origin.answer((request, to) -> send(to, "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\n" + CHUNKED));
        CompletableFuture<String> end = new CompletableFuture<>();
        cache.warm("/a", end::complete);
        assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo("not cacheable");
        assertThatTheCacheEndsIt();
    }

    @Test
    void areNotReadForWhoIsServedStaleInstead() throws Exception {
        origin.answer("old", "Cache-Control: max-age=60, stale-if-error=600");
        get("/a");
        passSeconds(61);
        origin.answer((request, to) -> send(to, "HTTP/1.1 503 Down\r\n" + CHUNKED));
        assertThat(get("/a").body()).isEqualTo("old");
        assertThatTheCacheEndsIt();
    }
}
