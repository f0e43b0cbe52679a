// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes wrong at the origin or on the way to it. */
class FailingOriginTest extends OriginHarness {

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
                Origin.at(origin.address()),
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
                Origin.at(origin.address()),
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
                Origin.at(origin.address()),
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
}
