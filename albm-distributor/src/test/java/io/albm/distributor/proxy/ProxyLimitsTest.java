// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.readResponse;
import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What a client hears when its request cannot be served, or not for ever. */
class ProxyLimitsTest {
    @Test
    void answers503WithAReasonWithoutBackends() throws Exception {
        try (var harness = new ProxyHarness()) {
            HttpResponse<String> response = harness.get("/");

            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue("Retry-After")).contains("1");
            assertThat(response.headers().firstValue("X-Albm-Reason"))
                    .hasValueSatisfying(reason -> assertThat(reason).startsWith("no backend"));
        }
    }

    @Test
    void closesAConnectionWhoseHeadComesTooSlowly() throws Exception {
        var settings = new TestSettings().headTimeout(Duration.ofMillis(100));
        try (var harness = new ProxyHarness(settings)) {
            assertThat(harness.talk("GET / HTTP/1.1\r\nHost: slow")).startsWith("HTTP/1.1 408 ");
        }
    }

    @Test
    void answers504WhenABackendSaysNothing() throws Exception {
        var settings = new TestSettings().responseTimeout(Duration.ofMillis(100));
        try (var backend = new RawBackend(call -> {});
                var harness = new ProxyHarness(settings, backend)) {
            assertThat(harness.get("/").statusCode()).isEqualTo(504);
        }
    }

    @Test
    void closesClientsBeyondTheLimit() throws Exception {
        var settings = new TestSettings().maxClients(1);
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(settings, backend);
                Socket first = harness.connect()) {
            send(first, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            readResponse(first);
            try (Socket second = harness.connect()) {
                assertThat(second.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(harness.stats.count(ProxyStats.Event.REFUSED_CLIENT)).isEqualTo(1);
        }
    }

    @Test
    void drainsByFinishingWhatIsInFlight() throws Exception {
        var asked = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        try (var backend = new RawBackend(call -> {
                    asked.countDown();
                    call.await(goOn);
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                });
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            send(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            asked.await();
            Thread drain = Thread.startVirtualThread(() -> drainQuietly(harness));
            await().until(() -> RawClient.isRefusedAt(harness.address));
            goOn.countDown();

            assertThat(RawClient.readAll(client))
                    .startsWith("HTTP/1.1 200")
                    .containsIgnoringCase("connection: close")
                    .endsWith("ok");
            drain.join();
        }
    }

    /** It is nobody's client yet when all are told to go. */
    @Test
    void drainsWhoIsStillOnTheWayIn() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(new TestSettings().expectsProxyHeader(), backend);
                Socket client = harness.connect()) {
            await().until(() -> harness.proxy.clients() == 1);
            Thread drain = Thread.startVirtualThread(() -> drainQuietly(harness));
            await().until(() -> RawClient.isRefusedAt(harness.address));
            send(client, "PROXY TCP4 192.0.2.7 192.0.2.1 4711 80\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(RawClient.readAll(client))
                    .startsWith("HTTP/1.1 200")
                    .containsIgnoringCase("connection: close")
                    .endsWith("ok");
            drain.join();
        }
    }

    private static void drainQuietly(ProxyHarness harness) {
        try {
            harness.proxy.drain(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
