// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.cache.http.HttpServer;
import io.albm.cache.http.HttpSettings;
import io.albm.cache.http.HttpStats;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.time.MonotonicClock;
import java.io.IOException;
import java.io.OutputStream;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cache between a real client and a scripted origin, over real sockets, with a clock of its own. */
class OriginCacheTest {

    private static final long CAPACITY = 4 << 20;
    private static final int LARGE = 6 << 20;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final StoreStats.Counters counters = (name, help, tags) -> new LongAdder();
    private ScriptedOrigin origin;
    private Transport transport;
    private OriginCache cache;
    private HttpServer server;
    private HttpClient client;

    @BeforeEach
    void serve() throws Exception {
        origin = new ScriptedOrigin();
        transport = Transport.open(2);
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
        start(OriginSettings.of(origin.address()));
    }

    private void start(OriginSettings settings) throws Exception {
        StoreSettings store =
                new StoreSettings(CAPACITY, "window-lru", 64, 1, 0, Duration.ofSeconds(1), Duration.ofSeconds(5));
        cache = new OriginCache(
                settings,
                store,
                new StoreStats(counters),
                new OriginStats(counters),
                transport,
                MonotonicClock.system(),
                now::get);
        server = new HttpServer(
                new NodeAddress("127.0.0.1", 0),
                cache::handler,
                transport,
                HttpSettings.DEFAULTS,
                new HttpStats(counters));
    }

    private void restart(OriginSettings settings) throws Exception {
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

    private void passSeconds(long seconds) {
        now.updateAndGet(instant -> instant.plusSeconds(seconds));
    }

    private HttpRequest.Builder to(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + server.address() + path))
                .timeout(Duration.ofSeconds(20));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
    }

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return send(to(path, headers));
    }

    private HttpResponse<String> head(String path) throws IOException, InterruptedException {
        return send(to(path).method("HEAD", HttpRequest.BodyPublishers.noBody()));
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(to(path).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private CompletableFuture<HttpResponse<String>> getLater(String path, String... headers) {
        return client.sendAsync(
                to(path, headers).build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
    }

    private static String value(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    // What is stored and how it is served.

    @Test
    void asksOnceForWhatIsFresh() throws Exception {
        origin.answer("hello", "Cache-Control: max-age=60", "X-Own: 7");
        HttpResponse<String> first = get("/a?b=c");
        passSeconds(5);
        HttpResponse<String> second = get("/a?b=c");
        assertThat(first.body()).isEqualTo("hello");
        assertThat(value(first, "cache-status")).isEqualTo("albm; fwd=uri-miss; fwd-status=200; stored");
        assertThat(second.body()).isEqualTo("hello");
        assertThat(value(second, "age")).isEqualTo("5");
        assertThat(value(second, "x-own")).isEqualTo("7");
        assertThat(value(second, "via")).isEqualTo("1.1 albm");
        assertThat(value(second, "cache-status")).isEqualTo("albm; hit; ttl=55");
        assertThat(origin.asked()).hasSize(1);
        assertThat(origin.last().target()).isEqualTo("/a?b=c");
        assertThat(origin.last().header("via")).isEqualTo("1.1 albm");
        assertThat(cache.stats().hits()).isEqualTo(1);
        assertThat(cache.stats().misses()).isEqualTo(1);
        assertThat(cache.responses()).isEqualTo(1);
    }

    @Test
    void tellsHostsApart() throws Exception {
        origin.answer((request, to) ->
                ScriptedOrigin.respond(to, 200, String.valueOf(request.header("host")), "Cache-Control: max-age=60"));
        assertThat(raw("GET /a HTTP/1.1\r\nHost: One\r\nConnection: close\r\n\r\n"))
                .endsWith("\r\n\r\none");
        assertThat(raw("GET /a HTTP/1.1\r\nHost: two\r\nConnection: close\r\n\r\n"))
                .endsWith("\r\n\r\ntwo");
        assertThat(raw("GET http://one/a HTTP/1.1\r\nHost: two\r\nConnection: close\r\n\r\n"))
                .endsWith("\r\n\r\none");
        assertThat(origin.asked()).hasSize(2);
    }

    @Test
    void storesAResponseInChunks() throws Exception {
        origin.answer(
                (request, to) -> ScriptedOrigin.write(
                        to,
                        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n"));
        assertThat(get("/a").body()).isEqualTo("abcdefg");
        HttpResponse<String> second = get("/a");
        assertThat(second.body()).isEqualTo("abcdefg");
        assertThat(value(second, "content-length")).isEqualTo("7");
        assertThat(origin.asked()).hasSize(1);
    }

    @Test
    void passesOnButDoesNotStoreWhatEndsWithTheConnection() throws Exception {
        origin.answer((request, to) -> {
            ScriptedOrigin.write(to, "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\r\nabc");
            to.close();
        });
        assertThat(get("/a").body()).isEqualTo("abc");
        assertThat(get("/a").body()).isEqualTo("abc");
        assertThat(origin.asked()).hasSize(2);
    }

    @Test
    void passesOnEarlyHints() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.write(
                to,
                "HTTP/1.1 103 Early Hints\r\nLink: </s.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
        String reply = raw("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        assertThat(reply)
                .startsWith("HTTP/1.1 103 Early Hints\r\nLink: </s.css>\r\n")
                .endsWith("\r\n\r\nok");
    }

    private String raw(String request) throws IOException {
        try (Socket socket =
                new Socket(server.address().host(), server.address().port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void answersHeadFromAStoredGet() throws Exception {
        origin.answer("hello", "Cache-Control: max-age=60");
        get("/a");
        HttpResponse<String> reply = head("/a");
        assertThat(value(reply, "content-length")).isEqualTo("5");
        assertThat(reply.body()).isEmpty();
        assertThat(origin.asked()).hasSize(1);
    }

    @Test
    void answersRangesFromAStoredWhole() throws Exception {
        origin.answer("0123456789", "Cache-Control: max-age=60", "ETag: \"a\"");
        get("/a");
        HttpResponse<String> part = get("/a", "Range", "bytes=2-4");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo("234");
        assertThat(value(part, "content-range")).isEqualTo("bytes 2-4/10");
        assertThat(get("/a", "Range", "bytes=-3").body()).isEqualTo("789");
        assertThat(get("/a", "Range", "bytes=2-4", "If-Range", "\"b\"").body()).isEqualTo("0123456789");
        assertThat(get("/a", "Range", "bytes=2-4", "If-Range", "\"a\"").body()).isEqualTo("234");
        HttpResponse<String> beyond = get("/a", "Range", "bytes=20-");
        assertThat(beyond.statusCode()).isEqualTo(416);
        assertThat(value(beyond, "content-range")).isEqualTo("bytes */10");
        assertThat(origin.asked()).hasSize(1);
    }

    @Test
    void passesARangeOnIfNothingIsStored() throws Exception {
        origin.answer((request, to) ->
                ScriptedOrigin.respond(to, 206, "23", "Content-Range: bytes 2-3/10", "Cache-Control: max-age=60"));
        assertThat(get("/a", "Range", "bytes=2-3").statusCode()).isEqualTo(206);
        assertThat(origin.last().header("range")).isEqualTo("bytes=2-3");
        assertThat(cache.responses()).isZero();
    }

    @Test
    void judgesTheClientsConditions() throws Exception {
        origin.answer("hello", "Cache-Control: max-age=60", "ETag: \"a\"", "X-Own: 7");
        HttpResponse<String> miss = get("/a", "If-None-Match", "\"a\"");
        assertThat(miss.statusCode()).isEqualTo(304);
        await().until(() -> cache.responses() == 1);
        HttpResponse<String> hit = get("/a", "If-None-Match", "\"b\", W/\"a\"");
        assertThat(hit.statusCode()).isEqualTo(304);
        assertThat(value(hit, "etag")).isEqualTo("\"a\"");
        assertThat(value(hit, "x-own")).isEmpty();
        assertThat(get("/a", "If-None-Match", "\"b\"").body()).isEqualTo("hello");
        assertThat(origin.asked()).hasSize(1);
        assertThat(origin.last().header("if-none-match")).isNull();
    }

    // Validation.

    @Test
    void validatesWhatIsStale() throws Exception {
        origin.answer("hello", "Cache-Control: max-age=60", "ETag: \"a\"", "X-Own: old");
        get("/a");
        passSeconds(61);
        origin.answer((request, to) ->
                ScriptedOrigin.respond(to, 304, "", "ETag: \"a\"", "X-Own: new", "Cache-Control: max-age=60"));
        HttpResponse<String> validated = get("/a");
        assertThat(validated.statusCode()).isEqualTo(200);
        assertThat(validated.body()).isEqualTo("hello");
        assertThat(value(validated, "x-own")).isEqualTo("new");
        assertThat(origin.last().header("if-none-match")).isEqualTo("\"a\"");
        assertThat(get("/a").body()).isEqualTo("hello");
        assertThat(origin.asked()).hasSize(2);
        assertThat(cache.stats().validations()).isEqualTo(1);
        assertThat(cache.stats().validated()).isEqualTo(1);
    }

    @Test
    void replacesWhatHasChanged() throws Exception {
        origin.answer("old", "Cache-Control: max-age=60", "ETag: \"a\"");
        get("/a");
        passSeconds(61);
        origin.answer("new", "Cache-Control: max-age=60", "ETag: \"b\"");
        assertThat(get("/a").body()).isEqualTo("new");
        assertThat(get("/a").body()).isEqualTo("new");
        assertThat(origin.asked()).hasSize(2);
        assertThat(cache.responses()).isEqualTo(1);
    }

    @Test
    void servesStaleWhileItValidatesOnce() throws Exception {
        origin.answer("old", "Cache-Control: max-age=60, stale-while-revalidate=60", "ETag: \"a\"");
        get("/a");
        passSeconds(61);
        CountDownLatch release = new CountDownLatch(1);
        origin.answer((request, to) -> {
            release.await();
            ScriptedOrigin.respond(to, 200, "new", "Cache-Control: max-age=60");
        });
        assertThat(get("/a").body()).isEqualTo("old");
        assertThat(get("/a").body()).isEqualTo("old");
        release.countDown();
        await().untilAsserted(() -> assertThat(get("/a").body()).isEqualTo("new"));
        assertThat(origin.asked()).hasSize(2);
        assertThat(cache.stats().stale()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void takesNewsFromAHead() throws Exception {
        origin.answer("hello", "Cache-Control: max-age=60", "ETag: \"a\"");
        get("/a");
        passSeconds(61);
        origin.answer((request, to) -> ScriptedOrigin.write(
                to, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"a\"\r\nCache-Control: max-age=60\r\n\r\n"));
        assertThat(head("/a").statusCode()).isEqualTo(200);
        assertThat(get("/a").body()).isEqualTo("hello");
        assertThat(origin.asked()).hasSize(2);
    }

    @Test
    void forgetsWhatAHeadContradicts() throws Exception {
        origin.answer("hello", "Cache-Control: max-age=60", "ETag: \"a\"");
        get("/a");
        passSeconds(61);
        origin.answer((request, to) -> ScriptedOrigin.write(to, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"));
        head("/a");
        assertThat(cache.responses()).isZero();
    }

    // Variants.

    @Test
    void keepsOneResponsePerVariant() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to, 200, String.valueOf(request.header("foo")), "Cache-Control: max-age=60", "Vary: Foo"));
        assertThat(get("/a", "Foo", "1").body()).isEqualTo("1");
        assertThat(get("/a", "Foo", "2").body()).isEqualTo("2");
        assertThat(get("/a", "Foo", "1").body()).isEqualTo("1");
        assertThat(get("/a").body()).isEqualTo("null");
        assertThat(origin.asked()).hasSize(3);
    }

    @Test
    void followsAVaryThatChanges() throws Exception {
        origin.answer("plain", "Cache-Control: max-age=1");
        get("/a", "Foo", "1");
        passSeconds(2);
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to, 200, "foo" + request.header("foo"), "Cache-Control: max-age=60", "Vary: Foo"));
        assertThat(get("/a", "Foo", "1").body()).isEqualTo("foo1");
        assertThat(get("/a", "Foo", "2").body()).isEqualTo("foo2");
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to, 200, "bar" + request.header("bar"), "Cache-Control: max-age=60", "Vary: Bar"));
        assertThat(get("/a", "Foo", "3", "Bar", "1").body()).isEqualTo("bar1");
        assertThat(get("/a", "Foo", "9", "Bar", "1").body()).isEqualTo("bar1");
        assertThat(get("/a", "Foo", "1", "Bar", "2").body()).isEqualTo("foo1");
        assertThat(origin.asked()).hasSize(4);
    }

    @Test
    void boundsTheVariantsOfAUrl() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(to, 200, "x", "Cache-Control: max-age=60", "Vary: Foo"));
        for (int i = 0; i < OriginSettings.MOST_VARIANTS + 5; i++) {
            get("/a", "Foo", Integer.toString(i));
        }
        assertThat(cache.responses()).isEqualTo(OriginSettings.MOST_VARIANTS);
    }

    // Invalidation.

    @Test
    void forgetsWhatAnUnsafeRequestChanged() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to,
                request.method().equals("POST") ? 201 : 200,
                request.method(),
                "Cache-Control: max-age=60",
                request.method().equals("POST") ? "Location: /b" : "X: y"));
        get("/a");
        get("/b");
        get("/c");
        assertThat(post("/a", "news").statusCode()).isEqualTo(201);
        assertThat(origin.last().body()).isEqualTo("news");
        assertThat(cache.responses()).isEqualTo(1);
        get("/c");
        assertThat(origin.asked()).hasSize(4);
    }

    @Test
    void keepsWhatAFailedUnsafeRequestDidNotChange() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to, request.method().equals("POST") ? 500 : 200, "x", "Cache-Control: max-age=60"));
        get("/a");
        post("/a", "news");
        assertThat(cache.responses()).isEqualTo(1);
    }

    // One read for all who wait.

    @Test
    void asksOnceForAllWhoWait() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        origin.answer((request, to) -> {
            release.await();
            ScriptedOrigin.respond(to, 200, "hello", "Cache-Control: max-age=60");
        });
        List<CompletableFuture<HttpResponse<String>>> replies = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            replies.add(getLater("/a"));
        }
        await().until(() -> cache.stats().coalesced() == 19);
        assertThat(cache.windowOccupancy()).isEqualTo(20);
        release.countDown();
        for (CompletableFuture<HttpResponse<String>> reply : replies) {
            assertThat(reply.get().body()).isEqualTo("hello");
        }
        assertThat(origin.asked()).hasSize(1);
        assertThat(cache.windowOccupancy()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"private", "no-store"})
    void letsEachAskForWhatIsNobodyElses(String cacheControl) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger served = new AtomicInteger();
        origin.answer((request, to) -> {
            release.await();
            ScriptedOrigin.respond(
                    to, 200, Integer.toString(served.incrementAndGet()), "Cache-Control: " + cacheControl);
        });
        List<CompletableFuture<HttpResponse<String>>> replies = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            replies.add(getLater("/a"));
        }
        await().until(() -> cache.stats().coalesced() == 4);
        release.countDown();
        List<String> bodies = new ArrayList<>();
        for (CompletableFuture<HttpResponse<String>> reply : replies) {
            bodies.add(reply.get().body());
        }
        assertThat(bodies).containsExactlyInAnyOrder("1", "2", "3", "4", "5");
        get("/a");
        assertThat(cache.stats().coalesced()).isEqualTo(4);
    }

    @Test
    void sharesNoVariantWithThoseWhoWaitForAnother() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        origin.answer((request, to) -> {
            release.await();
            ScriptedOrigin.respond(
                    to, 200, String.valueOf(request.header("foo")), "Cache-Control: max-age=60", "Vary: Foo");
        });
        CompletableFuture<HttpResponse<String>> one = getLater("/a", "Foo", "1");
        CompletableFuture<HttpResponse<String>> two = getLater("/a", "Foo", "2");
        await().until(() -> cache.stats().coalesced() == 1);
        release.countDown();
        assertThat(one.get().body()).isEqualTo("1");
        assertThat(two.get().body()).isEqualTo("2");
    }

    // What goes wrong.

    @Test
    void cutsAndForgetsAResponseThatBreaksOff() throws Exception {
        origin.answer((request, to) -> {
            ScriptedOrigin.write(
                    to, "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 100\r\n\r\nonly this");
            to.close();
        });
        assertThat(raw("GET /a HTTP/1.1\r\nHost: h\r\n\r\n"))
                .contains("Content-Length: 100")
                .endsWith("only this");
        assertThat(cache.responses()).isZero();
        await().until(() -> cache.memory().transit() == 0);
        assertThat(cache.stats().errors()).isEqualTo(1);
    }

    @Test
    void saysThatTheOriginIsGone() throws Exception {
        origin.close();
        HttpResponse<String> reply = get("/a");
        assertThat(reply.statusCode()).isEqualTo(502);
        assertThat(reply.body()).startsWith("the origin cannot be reached");
    }

    @Test
    void saysThatTheOriginIsLate() throws Exception {
        restart(new OriginSettings(
                origin.address(),
                2,
                1,
                Duration.ofSeconds(1),
                Duration.ofMillis(100),
                Duration.ofSeconds(4),
                Duration.ZERO));
        CountDownLatch never = new CountDownLatch(1);
        origin.answer((request, to) -> never.await());
        HttpResponse<String> reply = get("/a");
        assertThat(reply.statusCode()).isEqualTo(504);
        assertThat(reply.body()).startsWith("the origin did not answer in time");
        never.countDown();
    }

    @Test
    void refusesMoreThanMayWait() throws Exception {
        restart(new OriginSettings(
                origin.address(),
                1,
                1,
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                Duration.ofSeconds(4),
                Duration.ZERO));
        CountDownLatch release = new CountDownLatch(1);
        origin.answer((request, to) -> {
            release.await();
            ScriptedOrigin.respond(to, 200, "x");
        });
        List<CompletableFuture<HttpResponse<String>>> replies = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            replies.add(getLater("/" + i));
        }
        await().until(() -> replies.stream().filter(CompletableFuture::isDone).count() >= 8);
        release.countDown();
        for (CompletableFuture<HttpResponse<String>> reply : replies) {
            assertThat(reply.get().statusCode()).isIn(200, 503);
        }
    }

    @Test
    void servesStaleForAnOriginThatFailsIfItSaidSo() throws Exception {
        origin.answer("old", "Cache-Control: max-age=60, stale-if-error=600");
        get("/a");
        passSeconds(61);
        origin.answer((request, to) -> ScriptedOrigin.respond(to, 503, "down"));
        HttpResponse<String> covered = get("/a");
        assertThat(covered.statusCode()).isEqualTo(200);
        assertThat(covered.body()).isEqualTo("old");
        assertThat(value(covered, "cache-status")).contains("origin-failed");
        origin.answer((request, to) -> to.close());
        assertThat(get("/a").body()).isEqualTo("old");
        passSeconds(700);
        assertThat(get("/a").statusCode()).isEqualTo(502);
    }

    @ParameterizedTest
    @CsvSource({"0, 502", "600, 200"})
    void servesStaleForAnOriginThatFailsIfItsOperatorSaidSo(long seconds, int status) throws Exception {
        restart(new OriginSettings(
                origin.address(),
                4,
                4,
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                Duration.ofSeconds(4),
                Duration.ofSeconds(seconds)));
        origin.answer("old", "Cache-Control: max-age=60");
        get("/a");
        passSeconds(61);
        origin.close();
        assertThat(get("/a").statusCode()).isEqualTo(status);
    }

    @Test
    void asksAgainWhereAConnectionHadDied() throws Exception {
        origin.answer((request, to) -> {
            ScriptedOrigin.respond(to, 200, "x");
            to.close();
        });
        for (int i = 0; i < 5; i++) {
            assertThat(get("/" + i).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void givesNothingWhenOnlyTheCacheMayAnswer() throws Exception {
        assertThat(get("/a", "Cache-Control", "only-if-cached").statusCode()).isEqualTo(504);
        assertThat(origin.asked()).isEmpty();
    }

    @Test
    void keepsBytesBehindAResponseFromTheNextOne() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.write(
                to, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad"));
        assertThat(get("/a").body()).isEqualTo("ok");
        assertThat(get("/b").body()).isEqualTo("ok");
    }

    // Bounds.

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
