// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.distributor.proxy.RawBackend.Script;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A request whose backend dies before it answers goes to another one, if it may be done twice. */
class RetryTest {
    @Test
    void triesAnotherBackendWhenNobodyListens() throws Exception {
        try (var dead = new RawBackend(RawBackend.text("dead"));
                var live = new RawBackend(RawBackend.text("live"));
                var harness = new ProxyHarness(dead, live)) {
            dead.kill();
            for (int i = 0; i < 20; i++) {
                assertThat(harness.get("/").body()).isEqualTo("live");
            }
            assertThat(post(harness).body()).isEqualTo("live");
        }
    }

    @Test
    void sendsAnIdempotentRequestAgainWhenTheConnectionIsResetBeforeTheAnswer() throws Exception {
        try (var dying = new RawBackend(RawBackend.Call::reset);
                var live = new RawBackend(RawBackend.text("live"));
                var harness = new ProxyHarness(dying, live)) {
            for (int i = 0; i < 20; i++) {
                assertThat(harness.get("/").body()).isEqualTo("live");
            }
            assertThat(harness.stats.count(ProxyStats.Event.RETRY)).isPositive();
        }
    }

    @Test
    void doesNotSendAPostAgainThatABackendMayHaveSeen() throws Exception {
        try (var dying = new RawBackend(RawBackend.Call::reset);
                var harness = new ProxyHarness(dying)) {
            HttpResponse<String> response = post(harness);

            assertThat(response.statusCode()).isEqualTo(502);
            assertThat(dying.heads()).hasSize(1);
        }
    }

    @Test
    void usesANewConnectionWhenTheBackendClosesTheOldOneJustThen() throws Exception {
        var calls = new AtomicInteger();
        try (var backend = new RawBackend(call -> {
                    if (calls.incrementAndGet() % 2 == 0) {
                        call.socket().close();
                    } else {
                        RawBackend.text("ok").answer(call);
                    }
                });
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            for (int i = 0; i < 10; i++) {
                RawClient.send(client, head("GET / HTTP/1.1", "Host: a"));
                assertThat(RawClient.readResponse(client))
                        .startsWith("HTTP/1.1 200")
                        .endsWith("ok");
            }
        }
    }

    @Test
    void keepsABodyThatComesWhileItsRequestWaitsForAnotherBackend() throws Exception {
        var first = new AtomicBoolean(true);
        var held = new Semaphore(0);
        Script script = call -> {
            if (call.target().equals("/held")) {
                held.acquireUninterruptibly();
                call.reply("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            } else if (first.getAndSet(false)) {
                call.reset();
            } else {
                String body = new String(call.in().readNBytes(5), StandardCharsets.US_ASCII);
                call.reply("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + body);
            }
        };
        try (var one = new RawBackend(script);
                var other = new RawBackend(script);
                var harness = new ProxyHarness(new TestSettings().maxConnections(1), one, other);
                Socket client = harness.connect()) {
            var occupying = harness.http.sendAsync(
                    HttpRequest.newBuilder(harness.uri("/held")).build(), BodyHandlers.ofString());
            await().until(() -> one.heads().size() + other.heads().size() == 1);
            RawClient.send(client, head("PUT / HTTP/1.1", "Host: a", "Content-Length: 5"));
            await().until(() -> harness.count("queued_requests_total") == 1);
            RawClient.send(client, "whole");
            turnBothLoops(harness);
            held.release(2);

            assertThat(RawBackend.readHead(client.getInputStream())).startsWith("HTTP/1.1 200");
            assertThat(client.getInputStream().readNBytes(5)).asString().isEqualTo("whole");
            assertThat(occupying.get().statusCode()).isEqualTo(200);
        }
    }

    /** Lets the proxy see what was sent before. */
    private static void turnBothLoops(ProxyHarness harness) throws IOException {
        for (int i = 0; i < 4; i++) {
            try (Socket client = harness.connect()) {
                RawClient.send(client, "no request\r\n\r\n");
                assertThat(RawBackend.readHead(client.getInputStream())).startsWith("HTTP/1.1 400");
            }
        }
    }

    @Test
    void givesUpWhenTheRetryBudgetIsEmpty() throws Exception {
        var settings = new TestSettings().retries(0, 2);
        try (var one = new RawBackend(RawBackend.Call::reset);
                var two = new RawBackend(RawBackend.Call::reset);
                var harness = new ProxyHarness(settings, one, two)) {
            for (int i = 0; i < 10; i++) {
                assertThat(harness.get("/").statusCode()).isIn(502, 503);
            }
            assertThat(harness.stats.count(ProxyStats.Event.RETRY)).isLessThanOrEqualTo(2);
            assertThat(harness.stats.count(ProxyStats.Event.BUDGET_EMPTY)).isPositive();
        }
    }

    private static HttpResponse<String> post(ProxyHarness harness) throws Exception {
        return harness.http.send(
                HttpRequest.newBuilder(harness.uri("/"))
                        .POST(BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }
}
