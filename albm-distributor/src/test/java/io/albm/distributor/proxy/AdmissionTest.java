// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.core.node.NodeId;
import io.albm.distributor.backend.BackendSpec;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests whose cost is known wait while their backend is tight; the real policy, queue and sockets. */
class AdmissionTest {
    private static final NodeId HOST = new NodeId("host-1");
    private static final int MIB = 1 << 20;
    private static final String COST = "Albm-Cost: " + 10 * MIB + "\r\n";

    private final CountDownLatch release = new CountDownLatch(1);
    private final RawBackend backend = new RawBackend(call -> {
        if (call.target().endsWith("held")) {
            await(release);
        }
        String cost = call.target().startsWith("/costly") ? COST : "";
        call.reply("HTTP/1.1 200 OK\r\n" + cost + "Content-Length: 2\r\n\r\nok");
    });

    AdmissionTest() throws IOException {}

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        release.countDown();
        backend.close();
    }

    @Test
    void aCostlyRequestWaitsUntilThereIsRoomAndCheapOnesPass() throws Exception {
        try (var harness = tight(new TestSettings())) {
            var first = get(harness, "/costly?held");
            Awaitility.await().until(() -> backend.heads().getLast().contains("held"));
            var second = get(harness, "/costly?second");
            Awaitility.await().until(() -> harness.count("queued_requests_total") == 1);

            assertThat(get(harness, "/cheap").get().statusCode()).isEqualTo(200);
            assertThat(backend.heads()).noneMatch(head -> head.contains("second"));

            release.countDown();
            assertThat(second.get().statusCode()).isEqualTo(200);
            assertThat(first.get().headers().map()).doesNotContainKey("albm-cost");
        }
    }

    @Test
    void aRequestThatHasWaitedTooLongIsToldToComeBack() throws Exception {
        try (var harness = tight(new TestSettings().queue(10, Duration.ofMillis(100)))) {
            var first = get(harness, "/costly?held");
            Awaitility.await().until(() -> backend.heads().getLast().contains("held"));
            HttpResponse<String> second = get(harness, "/costly").get();

            assertThat(second.statusCode()).isEqualTo(503);
            assertThat(second.headers().firstValue("Retry-After")).isPresent();
            assertThat(second.headers().firstValue("X-Albm-Reason").orElseThrow())
                    .contains("no room was made");
            assertThat(harness.count("queue_timeouts_total")).isEqualTo(1);
            release.countDown();
            assertThat(first.get().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aRequestThatFindsTheQueueFullIsRefusedAtOnce() throws Exception {
        try (var harness = tight(new TestSettings().queue(0, Duration.ofSeconds(30)))) {
            var first = get(harness, "/costly?held");
            Awaitility.await().until(() -> backend.heads().getLast().contains("held"));
            HttpResponse<String> second = get(harness, "/costly").get();

            assertThat(second.statusCode()).isEqualTo(503);
            assertThat(second.headers().firstValue("X-Albm-Reason").orElseThrow())
                    .contains("too many");
            release.countDown();
            assertThat(first.get().statusCode()).isEqualTo(200);
        }
    }

    /** A backend whose host has room for one costly request: 15 MiB above the level that it is filled to. */
    private ProxyHarness tight(TestSettings settings) throws Exception {
        var harness = new ProxyHarness(settings);
        harness.directory.routeBy("albm", Set.of()).join();
        harness.directory.expect(Map.of("b0", new BackendSpec(backend.address(), HOST)));
        for (int i = 0; i < 8; i++) {
            Awaitility.await().until(() -> get(harness, "/costly").get().statusCode() == 200);
        }
        harness.directory.report(Map.of(
                HOST,
                new CounterReport(
                        HOST,
                        new CounterSample(145L * MIB, 0, 0, 0, 0, 0),
                        new HostHealth.Serving(),
                        1,
                        Instant.EPOCH)));
        Awaitility.await()
                .until(() -> harness.directory.status().backends().getFirst().counters() != null);
        return harness;
    }

    private static CompletableFuture<HttpResponse<String>> get(ProxyHarness harness, String target) {
        return harness.http.sendAsync(
                HttpRequest.newBuilder(harness.uri(target)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
