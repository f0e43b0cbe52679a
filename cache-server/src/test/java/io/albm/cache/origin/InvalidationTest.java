// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What makes stored responses void. */
class InvalidationTest extends OriginHarness {

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

    /** The first GET is held back until released and gets what was there before; those after it get what is new. */
    private void answerTheFirstLate(CountDownLatch release) {
        AtomicBoolean first = new AtomicBoolean(true);
        origin.answer((request, to) -> {
            boolean held = request.method().equals("GET") && first.getAndSet(false);
            if (held) {
                release.await();
            }
            ScriptedOrigin.respond(to, 200, held ? "old" : "new", "Cache-Control: public, max-age=60");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Any", "Authorization"})
    void givesNobodyAfterAChangeWhatWasOnItsWayBefore(String header) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        answerTheFirstLate(release);
        CompletableFuture<HttpResponse<String>> before = getLater("/a", header, "x");
        await().until(() -> origin.asked().size() == 1);
        post("/a", "news");
        CompletableFuture<HttpResponse<String>> after = getLater("/a", header, "x");
        assertThat(after.get(10, TimeUnit.SECONDS).body()).isEqualTo("new");
        release.countDown();
        assertThat(before.get().body()).isEqualTo("old");
        assertThat(get("/a").body()).isEqualTo("new");
        assertThat(origin.asked()).hasSize(3);
    }

    @Test
    void keepsNothingOfWhatWasOnItsWayWhenItWasPurged() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        answerTheFirstLate(release);
        CompletableFuture<HttpResponse<String>> before = getLater("/a");
        await().until(() -> origin.asked().size() == 1);
        cache.purge(key -> key.toString().endsWith("/a"));
        release.countDown();
        assertThat(before.get().body()).isEqualTo("old");
        assertThat(get("/a").body()).isEqualTo("new");
    }

    @Test
    void keepsNoVariantThatWasPurgedByItsNameOnItsWay() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        origin.answer((request, to) -> {
            boolean held = first.getAndSet(false);
            if (held) {
                release.await();
            }
            ScriptedOrigin.respond(to, 200, held ? "old" : "new", "Cache-Control: max-age=60", "Vary: X-Kind");
        });
        CompletableFuture<HttpResponse<String>> before = getLater("/a", "X-Kind", "one");
        await().until(() -> origin.asked().size() == 1);
        cache.purge(key -> key.toString().contains("/a "));
        release.countDown();
        assertThat(before.get().body()).isEqualTo("old");
        assertThat(get("/a", "X-Kind", "one").body()).isEqualTo("new");
    }

    @Test
    void purgesBothSchemes() throws Exception {
        origin.answer("x", "Cache-Control: max-age=60");
        get("/a");
        get("/a", "X-Forwarded-Proto", "https");
        await().until(() -> cache.responses() == 2);
        String name = server.address() + "/a";
        assertThat(cache.purge(key -> key.toString().equals(name)).dropped()).isEqualTo(2);
        assertThat(cache.responses()).isZero();
    }

    @Test
    void forgetsWhatARequestWithoutAnAnswerMayHaveChanged() throws Exception {
        origin.answer("old", "Cache-Control: max-age=60");
        get("/a");
        origin.answer((request, to) -> to.close());
        assertThat(post("/a", "news").statusCode()).isEqualTo(502);
        origin.answer("new", "Cache-Control: max-age=60");
        assertThat(get("/a").body()).isEqualTo("new");
    }
}
