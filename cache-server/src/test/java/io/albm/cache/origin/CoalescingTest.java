// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One read for all who wait. */
class CoalescingTest extends OriginHarness {

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
        await().until(() -> cache.windowOccupancy() == 0);
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

    @Test
    void letsAllAskAtOnceWhoWaitedForAnotherVariantThatIsNotKept() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch together = new CountDownLatch(4);
        origin.answer((request, to) -> {
            String foo = String.valueOf(request.header("foo"));
            boolean inTime = true;
            if (foo.equals("0")) {
                release.await();
            } else if (request.method().equals("GET")) {
                together.countDown();
                inTime = together.await(5, TimeUnit.SECONDS);
            }
            ScriptedOrigin.respond(to, 200, inTime ? foo : "asked alone", "Cache-Control: max-age=60", "Vary: Foo");
        });
        List<CompletableFuture<HttpResponse<String>>> replies = new ArrayList<>();
        replies.add(getLater("/a", "Foo", "0"));
        await().until(() -> origin.asked().size() == 1);
        for (int i = 1; i < 5; i++) {
            replies.add(getLater("/a", "Foo", Integer.toString(i)));
        }
        await().until(() -> cache.stats().coalesced() == 4);
        post("/a", ""); // What is on its way is not kept.
        release.countDown();
        for (int i = 0; i < 5; i++) {
            assertThat(replies.get(i).get().body()).isEqualTo(Integer.toString(i));
        }
    }

    @Test
    void keepsNobodyWhoLeftWhileHeWaited() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        origin.answer((request, to) -> {
            release.await();
            ScriptedOrigin.respond(to, 200, "hello", "Cache-Control: max-age=60");
        });
        CompletableFuture<HttpResponse<String>> stays = getLater("/a");
        await().until(() -> cache.windowOccupancy() == 1);
        try (Socket leaves =
                new Socket(server.address().host(), server.address().port())) {
            leaves.setSoLinger(true, 0); // Reset: who only ends what it sends may still read.
            leaves.getOutputStream()
                    .write(("GET /a HTTP/1.1\r\nHost: " + server.address() + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            await().until(() -> cache.stats().coalesced() == 1);
            assertThat(cache.windowOccupancy()).isEqualTo(2);
        }
        await().until(() -> cache.windowOccupancy() == 1);
        release.countDown();
        assertThat(stays.get().body()).isEqualTo("hello");
        await().until(() -> cache.windowOccupancy() == 0);
    }
}
