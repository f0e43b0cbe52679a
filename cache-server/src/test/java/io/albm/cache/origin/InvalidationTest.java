// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
        cache.purge(name -> name.endsWith("/a"));
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
        cache.purge(name -> name.contains("/a "));
        release.countDown();
        assertThat(before.get().body()).isEqualTo("old");
        assertThat(get("/a", "X-Kind", "one").body()).isEqualTo("new");
    }

    /** The predicate is asked by the purge's thread, between its steps. */
    @Test
    void servesRequestsDuringAPurgeButNothingThatItTakes() throws Exception {
        origin.answer("old", "Cache-Control: max-age=60");
        for (int i = 0; i < 20; i++) {
            get("/" + i);
        }
        await().until(() -> cache.responses() == 20);
        origin.answer("new", "Cache-Control: max-age=60");
        AtomicReference<Set<String>> served = new AtomicReference<>();
        cache.purge(name -> {
            if (served.compareAndSet(null, Set.of())) {
                served.set(bodiesOf(20));
            }
            return true;
        });
        assertThat(served.get()).containsExactly("new");
        await().until(() -> cache.responses() == 20);
        assertThat(bodiesOf(20)).containsExactly("new");
        assertThat(origin.asked()).hasSize(40);
    }

    private Set<String> bodiesOf(int paths) {
        return IntStream.range(0, paths)
                .mapToObj(i ->
                        getLater("/" + i).orTimeout(10, TimeUnit.SECONDS).join().body())
                .collect(Collectors.toSet());
    }

    @Test
    void purgesAllThatAUrlVariesByAndNoOtherUrl() throws Exception {
        origin.answer("x", "Cache-Control: max-age=60", "Vary: X-Kind");
        get("/a", "X-Kind", "one");
        get("/a", "X-Kind", "two");
        get("/ab", "X-Kind", "one");
        await().until(() -> cache.responses() == 3);
        assertThat(cache.purge((server.address() + "/a")::equals).dropped()).isEqualTo(2);
        assertThat(cache.responses()).isEqualTo(1);
    }

    @Test
    void purgesOneVariantByItsName() throws Exception {
        origin.answer("x", "Cache-Control: max-age=60", "Vary: X-Kind");
        get("/a", "X-Kind", "one");
        get("/a", "X-Kind", "two");
        await().until(() -> cache.responses() == 2);
        assertThat(cache.purge((server.address() + "/a x-kind=one")::equals).dropped())
                .isEqualTo(1);
        assertThat(cache.responses()).isEqualTo(1);
    }

    @Test
    void givesNobodyAfterAPurgeOfItsVariantWhatWasOnItsWayBefore() throws Exception {
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
        cache.purge((server.address() + "/a x-kind=one")::equals);
        CompletableFuture<HttpResponse<String>> after = getLater("/a", "X-Kind", "one");
        assertThat(after.get(10, TimeUnit.SECONDS).body()).isEqualTo("new");
        release.countDown();
        assertThat(before.get().body()).isEqualTo("old");
        assertThat(get("/a", "X-Kind", "one").body()).isEqualTo("new");
        assertThat(origin.asked()).hasSize(2);
    }

    @Test
    void purgesBothSchemes() throws Exception {
        origin.answer("x", "Cache-Control: max-age=60");
        get("/a");
        get("/a", "X-Forwarded-Proto", "https");
        await().until(() -> cache.responses() == 2);
        String name = server.address() + "/a";
        assertThat(cache.purge(name::equals).dropped()).isEqualTo(2);
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
