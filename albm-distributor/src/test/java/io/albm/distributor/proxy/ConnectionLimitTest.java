// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.topology.FrontendMode;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limit of requests per backend, over two event loops and real sockets. */
class ConnectionLimitTest {
    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Semaphore held = new Semaphore(0);
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        held.release(1_000);
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    private RawBackend counting() throws IOException {
        var backend = new RawBackend(call -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            if (call.target().startsWith("/held")) {
                held.acquireUninterruptibly();
            }
            now.decrementAndGet();
            call.reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        });
        open.add(backend);
        return backend;
    }

    private ProxyHarness limited(int limit, TestSettings settings, RawBackend... backends) throws IOException {
        var harness = new ProxyHarness(settings.maxConnections(limit), backends);
        open.add(harness);
        return harness;
    }

    private static CompletableFuture<HttpResponse<String>> get(ProxyHarness harness, String target) {
        return harness.http.sendAsync(
                HttpRequest.newBuilder(harness.uri(target)).build(), HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({"1, round-robin", "1, least-connections", "3, power-of-two", "3, hash", "3, prequal", "3, albm"})
    void aBackendNeverHasMoreThanTheLimitAndEveryRequestIsAnswered(int limit, String policy) throws Exception {
        var harness = limited(limit, new TestSettings(), counting());
        harness.directory.routeBy(policy, Set.of());
        var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int i = 0; i < 400; i++) {
            answers.add(get(harness, "/" + i));
        }
        for (var answer : answers) {
            assertThat(answer.get().statusCode()).isEqualTo(200);
        }

        assertThat(most).hasValueLessThanOrEqualTo(limit);
        await().until(() -> harness.directory.backends().getFirst().inFlight() == 0);
        assertThat(harness.count("queued_requests_total")).isPositive();
        assertThat(harness.count("queue_timeouts_total")).isZero();
    }

    @Test
    void aServerThatServesOneConnectionAfterTheOtherAnswersClientsOfBothLoops() throws Exception {
        Set<Socket> sockets = ConcurrentHashMap.newKeySet();
        var served = new Semaphore(1);
        var server = new SocketServer(socket -> {
            served.acquireUninterruptibly();
            sockets.add(socket);
            try {
                while (!RawBackend.readHead(socket.getInputStream()).isEmpty()) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                                    .getBytes(StandardCharsets.US_ASCII));
                }
            } finally {
                served.release();
            }
        });
        open.add(server);
        var harness = limited(1, new TestSettings());
        harness.expect(server.address());

        for (int i = 0; i < 10; i++) {
            try (Socket client = harness.connect()) {
                client.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(RawBackend.readHead(client.getInputStream())).startsWith("HTTP/1.1 200");
            }
        }
        assertThat(sockets).hasSizeGreaterThan(1);
    }

    @Test
    void aFullBackendIsPassedByWhileAnotherHasRoom() throws Exception {
        RawBackend one = counting();
        RawBackend other = counting();
        var harness = limited(2, new TestSettings(), one, other);
        harness.directory.routeBy("hash", Set.of());
        var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int i = 0; i < 4; i++) {
            answers.add(get(harness, "/held"));
        }
        await().until(() -> one.heads().size() == 2 && other.heads().size() == 2);

        assertThat(harness.count("queued_requests_total")).isZero();
        held.release(4);
        for (var answer : answers) {
            assertThat(answer.get().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void whoHasWaitedTooLongIsToldToComeBack() throws Exception {
        RawBackend backend = counting();
        var harness = limited(1, new TestSettings().queue(10, Duration.ofMillis(100)), backend);
        var first = get(harness, "/held");
        await().until(() -> backend.heads().size() == 1);
        HttpResponse<String> second = get(harness, "/second").get();

        assertThat(second.statusCode()).isEqualTo(503);
        assertThat(second.headers().firstValue("Retry-After")).isPresent();
        assertThat(second.headers().firstValue("X-Albm-Reason").orElseThrow())
                .contains("as many requests as it may have");
        held.release();
        assertThat(first.get().statusCode()).isEqualTo(200);
        assertThat(backend.heads()).noneMatch(head -> head.contains("second"));
    }

    @Test
    void theQueueIsBoundedOverAllLoops() throws Exception {
        RawBackend backend = counting();
        var harness = limited(1, new TestSettings().queue(3, Duration.ofSeconds(30)), backend);
        var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        answers.add(get(harness, "/held"));
        await().until(() -> backend.heads().size() == 1);
        for (int i = 0; i < 10; i++) {
            answers.add(get(harness, "/" + i));
        }
        await().until(() -> harness.count("queue_full_total") == 7);

        held.release();
        int answered = 0;
        for (var answer : answers) {
            answered += answer.get().statusCode() == 200 ? 1 : 0;
        }
        assertThat(answered).isEqualTo(4);
    }

    @Test
    void aClientThatGoesAwayLeavesTheQueueAndTheNextOneIsServed() throws Exception {
        RawBackend backend = counting();
        var harness = limited(1, new TestSettings().queue(1, Duration.ofSeconds(30)), backend);
        var first = get(harness, "/held");
        await().until(() -> backend.heads().size() == 1);
        try (Socket impatient = harness.connect()) {
            impatient
                    .getOutputStream()
                    .write("GET /gone HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            await().until(() -> harness.count("queued_requests_total") == 1);
        }
        await().until(() -> harness.stats.inFlight() == 1);
        var second = get(harness, "/second");
        await().until(() -> harness.count("queued_requests_total") == 2);
        held.release();

        assertThat(first.get().statusCode()).isEqualTo(200);
        assertThat(second.get().statusCode()).isEqualTo(200);
        assertThat(backend.heads()).noneMatch(head -> head.contains("/gone"));
    }

    @Test
    void whoWaitsIsServedByAnotherBackendWhenTheOneThatItGotCannotBeConnectedTo() throws Exception {
        RawBackend dead = counting();
        RawBackend alive = counting();
        var harness = limited(1, new TestSettings(), dead, alive);
        var holders = List.of(get(harness, "/held"), get(harness, "/held"));
        await().until(() -> dead.heads().size() == 1 && alive.heads().size() == 1);
        var waiting = List.of(get(harness, "/a"), get(harness, "/b"), get(harness, "/c"));
        await().until(() -> harness.count("queued_requests_total") == 3);
        dead.kill();
        held.release(3);

        for (var answer : waiting) {
            assertThat(answer.get().statusCode()).isEqualTo(200);
        }
        for (var answer : holders) {
            assertThat(answer.get().statusCode()).isEqualTo(200);
        }
        assertThat(most).hasValueLessThanOrEqualTo(2);
    }

    @Test
    void whoWaitsForAFullBackendThatIsDrainedGoesToAnother() throws Exception {
        RawBackend drained = counting();
        RawBackend other = counting();
        var harness = limited(1, new TestSettings(), drained, other);
        var holders = List.of(get(harness, "/held"), get(harness, "/held"));
        await().until(() -> drained.heads().size() == 1 && other.heads().size() == 1);
        var waiting = List.of(get(harness, "/a"), get(harness, "/b"));
        await().until(() -> harness.count("queued_requests_total") == 2);
        harness.directory.drain(Set.of("b0"));
        await().until(() ->
                harness.directory.status().backends().getFirst().health().equals("draining"));
        held.release(2);

        for (var answer : waiting) {
            assertThat(answer.get().statusCode()).isEqualTo(200);
        }
        for (var answer : holders) {
            assertThat(answer.get().statusCode()).isEqualTo(200);
        }
        assertThat(drained.heads()).hasSize(1);
    }

    @Test
    void whoWaitsIsToldAtOnceWhenNoBackendIsLeft() throws Exception {
        RawBackend backend = counting();
        var harness = limited(1, new TestSettings().queue(10, Duration.ofSeconds(30)), backend);
        var first = get(harness, "/held");
        await().until(() -> backend.heads().size() == 1);
        var second = get(harness, "/second");
        await().until(() -> harness.count("queued_requests_total") == 1);
        harness.directory.drain(Set.of("b0"));

        assertThat(second.get().statusCode()).isEqualTo(503);
        assertThat(second.get().headers().firstValue("X-Albm-Reason").orElseThrow())
                .contains("draining");
        held.release();
        assertThat(first.get().statusCode()).isEqualTo(200);
    }

    @Test
    void connectionsOfATcpFrontendWaitToo() throws Exception {
        var server = new SocketServer(socket -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            socket.getInputStream().transferTo(socket.getOutputStream());
            now.decrementAndGet();
        });
        open.add(server);
        var harness = limited(1, new TestSettings().mode(FrontendMode.TCP).tunnelTimeout(Duration.ofSeconds(30)));
        harness.expect(server.address());
        Socket first = harness.connect();
        echo(first);
        Socket second = harness.connect();
        await().until(() -> harness.count("queued_requests_total") == 1);
        first.close();
        echo(second);

        assertThat(most).hasValue(1);
    }

    private static void echo(Socket socket) throws IOException {
        socket.getOutputStream().write('x');
        assertThat(socket.getInputStream().read()).isEqualTo('x');
    }
}
