// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static io.albm.cache.http.DocumentServer.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.http.RawClient.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the server grants a connection: how long, how much, in which order, and until when. */
class HttpServerConnectionsTest extends ServedTree {
    /** So many connections that each event loop has served one, and is done with what came before. */
    private static final int OTHERS = 16;

    // Longer than a test takes.
    private static final Duration HEAD = Duration.ofSeconds(10);
    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final Duration WRITE = Duration.ofSeconds(30);

    private static HttpSettings settings(int connections, Duration head, Duration idle, Duration write) {
        return new HttpSettings(connections, 4, 8192, head, idle, write, 0);
    }

    @Test
    void answersAClientThatEndsItsSideFirst() throws IOException {
        try (RawClient client = connect()) {
            client.send("GET /large.bin HTTP/1.1\r\nHost: t\r\n\r\nGET /a.txt HTTP/1.1\r\nHost: t\r\n\r\n");
            client.endOutput();

            assertThat(client.receive(true).body()).isEqualTo(LARGE);
            assertThat(client.receive(true).text()).isEqualTo("0123456789");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void servesOthersWhileClientsSendSlowly() throws IOException {
        List<RawClient> slow = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            slow.add(connect());
            slow.getLast().send(i % 2 == 0 ? "GET /a.t" : "GET /large.bin HTTP/1.1\r\nHost: t\r\n\r\n");
        }

        assertThat(get("/a.txt").text()).isEqualTo("0123456789");
        assertThat(get("/dir/").text()).isEqualTo("<p>dir");
        for (RawClient client : slow) {
            client.close();
        }
    }

    @Test
    void holdsNoMoreThanItsBoundsForAClientThatFloodsAndReadsNothing() throws Exception {
        try (RawClient client = connect()) {
            String flood = "GET /a.txt HTTP/1.1\r\nHost: t\r\n\r\n".repeat(200);
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 100; i++) {
                    sendAll(client, flood);
                }
            });
            assertThat(get("/dir/").text()).isEqualTo("<p>dir");
            for (int i = 0; i < 20_000; i++) {
                assertThat(client.receive(true).status()).isEqualTo(200);
            }
            sending.join();
        }
    }

    /** What the sockets' buffers hold is some MiB. */
    @Test
    void queuesFewLargeDocumentsForAClientThatTakesNone() throws IOException {
        Files.write(root.resolve("mib.bin"), new byte[1 << 20]);
        restart(HttpSettings.DEFAULTS, false);
        assertThat(get("/mib.bin").status()).isEqualTo(200);
        soon().until(() -> store.residents() == 1);
        long before = server.stats().responses();
        try (RawClient client = connect()) {
            sendAll(client, "GET /mib.bin HTTP/1.1\r\nHost: test\r\n\r\n".repeat(64));
            soon().until(() -> server.stats().responses() > before);
            for (int i = 0; i < OTHERS; i++) {
                get("/a.txt");
            }

            assertThat(server.stats().responses() - before - OTHERS).isLessThan(32);

            for (int i = 0; i < 64; i++) {
                assertThat(client.receive(true).body()).hasSize(1 << 20);
            }
        }
    }

    @Test
    void answersPipelinedRequestsInOrder() throws IOException {
        try (RawClient client = connect()) {
            String[] targets = {"/large.bin", "/a.txt", "/none", "/../x", "/", "/large.bin", "/dir/"};
            StringBuilder all = new StringBuilder();
            for (int round = 0; round < 8; round++) {
                for (String target : targets) {
                    all.append("GET " + target + " HTTP/1.1\r\nHost: test\r\n\r\n");
                }
            }
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> sendAll(client, all.toString()));
            for (int round = 0; round < 8; round++) {
                assertThat(client.receive(true).body()).hasSize(LARGE.length);
                assertThat(client.receive(true).text()).isEqualTo("0123456789");
                assertThat(client.receive(true).status()).isEqualTo(404);
                assertThat(client.receive(true).status()).isEqualTo(400);
                assertThat(client.receive(true).text()).isEqualTo("<p>home");
                assertThat(client.receive(true).body()).hasSize(LARGE.length);
                assertThat(client.receive(true).text()).isEqualTo("<p>dir");
            }
            sent.join();
        }
    }

    private static void sendAll(RawClient client, String text) {
        try {
            client.send(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void refusesOtherMethodsAndKeepsTheConnection() throws IOException {
        try (RawClient client = connect()) {
            client.request("POST", "/a.txt", "Content-Length: 5");
            client.send("hello");
            Response refused = client.receive(true);
            assertThat(refused.status()).isEqualTo(405);
            assertThat(refused.header("allow")).isEqualTo("GET, HEAD");
            assertThat(client.get("/a.txt").status()).isEqualTo(200);
        }
    }

    @Test
    void closesAfterOneRequestWhenAsked() throws IOException {
        try (RawClient client = connect()) {
            Response response = client.get("/a.txt", "Connection: close");
            assertThat(response.header("connection")).isEqualTo("close");
            assertThat(client.isAtEnd()).isTrue();
        }
        try (RawClient client = connect()) {
            client.send("GET /a.txt HTTP/1.0\r\n\r\n");
            assertThat(client.receive(true).text()).isEqualTo("0123456789");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void refusesBrokenAndOversizedHeads() throws IOException {
        assertBroken("GET /a.txt HTTP/1.1\r\nHost: t\r\nX: " + "x".repeat(20_000) + "\r\n\r\n", 431);
        assertBroken("GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: t\r\n\r\n", 414);
        assertBroken("GET /a.txt HTTP/1.1\r\n\r\n", 400);
        assertBroken("GET /a.txt HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400);
        assertBroken("GET /a.txt HTTP/2.0\r\nHost: a\r\n\r\n", 505);
        assertBroken("\0\0\0\0 nonsense\r\n\r\n", 400);
    }

    private void assertBroken(String request, int status) throws IOException {
        try (RawClient client = connect()) {
            client.send(request);
            assertThat(client.receive(true).status())
                    .as(request.substring(0, 10))
                    .isEqualTo(status);
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void closesAConnectionWhoseHeadTricklesIn() throws Exception {
        restart(settings(100, Duration.ofMillis(100), IDLE, WRITE), false);
        try (RawClient client = connect()) {
            client.send("GET /a.txt HTTP/1.1\r\nHost:");
            assertThat(client.receive(true).status()).isEqualTo(408);
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void closesAnIdleConnection() throws Exception {
        restart(settings(100, HEAD, Duration.ofMillis(100), WRITE), false);
        try (RawClient client = connect()) {
            assertThat(client.get("/a.txt").status()).isEqualTo(200);
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void closesAConnectionThatDoesNotTakeItsResponses() throws Exception {
        restart(settings(100, HEAD, IDLE, Duration.ofMillis(200)), false);
        try (RawClient client = connect()) {
            for (int i = 0; i < 20; i++) {
                client.request("GET", "/large.bin");
            }
            soon().untilAsserted(() -> assertThat(server.connections()).isZero());
            soon().untilAsserted(() -> assertThat(store.transitBytes()).isZero());
        }
    }

    @Test
    void closesConnectionsBeyondTheLimit() throws Exception {
        restart(settings(1, HEAD, IDLE, WRITE), false);
        try (RawClient first = connect()) {
            assertThat(first.get("/a.txt").status()).isEqualTo(200);
            try (RawClient second = connect()) {
                assertThat(second.isAtEnd()).isTrue();
            }
        }
    }

    @Test
    void drainFinishesWhatIsUnderWayAndClosesTheRest() throws Exception {
        try (RawClient idle = connect();
                RawClient busy = connect()) {
            assertThat(idle.get("/a.txt").status()).isEqualTo(200);
            busy.request("GET", "/large.bin");
            soon().until(() -> server.stats().responses() == 2);

            CompletableFuture<Boolean> drained = CompletableFuture.supplyAsync(() -> drain(Duration.ofSeconds(20)));

            assertThat(idle.isAtEnd()).isTrue();
            assertThat(busy.receive(true).body()).isEqualTo(LARGE);
            assertThat(busy.isAtEnd()).isTrue();
            assertThat(drained.join()).isTrue();
        }
    }

    private boolean drain(Duration bound) {
        try {
            return server.drain(bound);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
