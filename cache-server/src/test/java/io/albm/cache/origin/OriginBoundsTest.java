// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What bounds memory and the pace. */
class OriginBoundsTest extends OriginHarness {

    private static final int LARGE = 6 << 20;

    @Test
    void streamsWhatIsTooLargeAndHoldsTheOriginBack() throws Exception {
        AtomicInteger written = new AtomicInteger();
        origin.answer((request, to) -> {
            ScriptedOrigin.write(
                    to,
                    "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: " + (10L * LARGE) + "\r\n\r\n");
            writeAll(to, 10 * LARGE, written);
        });
        try (Socket socket =
                new Socket(server.address().host(), server.address().port())) {
            socket.setReceiveBufferSize(32 << 10);
            socket.getOutputStream().write("GET /a HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            AtomicInteger before = new AtomicInteger(-1);
            await().pollInterval(Duration.ofMillis(200))
                    .until(() -> before.getAndSet(written.get()) == written.get() && written.get() > 0);
            assertThat(written.get()).isLessThan(10 * LARGE);
            long body = 0;
            byte[] piece = new byte[64 << 10];
            while (body < 10L * LARGE) {
                int read = socket.getInputStream().read(piece);
                assertThat(read).isPositive();
                body += read;
            }
        }
        assertThat(cache.responses()).isZero();
    }

    private static void writeAll(OutputStream to, int bytes, AtomicInteger written) throws IOException {
        byte[] piece = new byte[64 << 10];
        for (int at = 0; at < bytes; at += piece.length) {
            to.write(piece);
            written.addAndGet(piece.length);
        }
    }

    @Test
    void streamsChunksBeyondTheLargestStoredSize() throws Exception {
        String chunk = "x".repeat(1 << 16);
        origin.answer((request, to) -> {
            ScriptedOrigin.write(
                    to, "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < LARGE >> 16; i++) {
                ScriptedOrigin.write(to, "10000\r\n" + chunk + "\r\n");
            }
            ScriptedOrigin.write(to, "0\r\n\r\n");
        });
        assertThat(get("/a").body()).hasSize(LARGE);
        assertThat(cache.responses()).isZero();
        assertThat(cache.memory().transit()).isZero();
    }

    @Test
    void staysWithinItsMemory() throws Exception {
        String body = "x".repeat(300 << 10);
        origin.answer(body, "Cache-Control: max-age=60");
        for (int i = 0; i < 40; i++) {
            assertThat(get("/" + i).body()).hasSize(body.length());
            assertThat(cache.memory().resident()).isLessThanOrEqualTo(CAPACITY);
        }
        assertThat(cache.memory().resident()).isGreaterThan(CAPACITY / 2);
        await().until(() -> cache.memory().transit() == 0);
    }

    @Test
    void streamsARequestsBody() throws Exception {
        String body = "y".repeat(3 << 20);
        origin.answer((request, to) ->
                ScriptedOrigin.respond(to, 200, Integer.toString(request.body().length())));
        assertThat(post("/a", body).body()).isEqualTo(Integer.toString(body.length()));
        HttpRequest.Builder chunked =
                to("/a").POST(HttpRequest.BodyPublishers.fromPublisher(HttpRequest.BodyPublishers.ofString(body)));
        assertThat(send(chunked).body()).isEqualTo(Integer.toString(body.length()));
        assertThat(origin.last().header("transfer-encoding")).isEqualTo("chunked");
    }
}
