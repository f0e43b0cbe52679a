// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.http.HttpServer;
import io.albm.cache.http.HttpSettings;
import io.albm.cache.http.HttpStats;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.time.MonotonicClock;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The cache between a real client and a scripted origin, over real sockets, with a clock of its own. */
abstract class OriginHarness {

    static final long CAPACITY = 4 << 20;

    final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    final StoreStats.Counters counters = (name, help, tags) -> counter(name);
    final SaidReach reach = new SaidReach();
    ScriptedOrigin origin;
    Transport transport;
    OriginCache cache;
    HttpServer server;
    HttpClient client;

    /** What was said of the origin's reachability, without repetitions. */
    static final class SaidReach implements Reach {
        private final List<String> said = new ArrayList<>();

        @Override
        public void reached() {
            say("");
        }

        @Override
        public void unreachable(String reason) {
            say(reason);
        }

        private synchronized void say(String what) {
            if (said.isEmpty() || !said.getLast().equals(what)) {
                said.add(what);
            }
        }

        synchronized List<String> said() {
            return List.copyOf(said);
        }
    }

    LongAdder counter(String name) {
        return new LongAdder();
    }

    long capacity() {
        return CAPACITY;
    }

    @BeforeEach
    void serve() throws Exception {
        origin = new ScriptedOrigin();
        transport = Transport.open(2);
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
        start(OriginSettings.of(Origin.at(origin.address())));
    }

    final void start(OriginSettings settings) throws Exception {
        StoreSettings store =
                new StoreSettings(capacity(), "window-lru", 64, 1, 0, Duration.ofSeconds(1), Duration.ofSeconds(5));
        cache = new OriginCache(
                settings,
                store,
                new StoreStats(counters),
                new OriginStats(counters),
                transport,
                MonotonicClock.system(),
                now::get,
                reach);
        server = new HttpServer(
                new NodeAddress("127.0.0.1", 0),
                cache::handler,
                transport,
                HttpSettings.DEFAULTS,
                new HttpStats(counters));
    }

    final void restart(OriginSettings settings) throws Exception {
        server.close();
        cache.close();
        start(settings);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
        cache.close();
        transport.close();
        origin.close();
    }

    void passSeconds(long seconds) {
        now.updateAndGet(instant -> instant.plusSeconds(seconds));
    }

    HttpRequest.Builder to(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + server.address() + path))
                .timeout(Duration.ofSeconds(20));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request;
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
    }

    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return send(to(path, headers));
    }

    HttpResponse<String> head(String path) throws IOException, InterruptedException {
        return send(to(path).method("HEAD", HttpRequest.BodyPublishers.noBody()));
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(to(path).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    CompletableFuture<HttpResponse<String>> getLater(String path, String... headers) {
        return client.sendAsync(
                to(path, headers).build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
    }

    static String value(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    String raw(String request) throws IOException {
        try (Socket socket =
                new Socket(server.address().host(), server.address().port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
