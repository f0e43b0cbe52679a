// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a request gets a stale response for an origin that fails is its own affair, not that of the one it waits for. */
class StaleForWaitersTest extends OriginHarness {

    private static final String STALE = "stale-if-error=600";
    private static final String NOTHING = "no-transform";

    private final CountDownLatch joined = new CountDownLatch(1);

    @BeforeEach
    void storeWhatGoesStale() throws Exception {
        origin.answer("old", "Cache-Control: max-age=60");
        get("/a");
        passSeconds(61);
    }

    /** The origin answers so, once one waits for another. */
    private void answerJoined(ScriptedOrigin.Script script) {
        origin.answer((request, to) -> {
            joined.await();
            script.answer(request, to);
        });
    }

    private CompletableFuture<HttpResponse<String>> leads(String cacheControl) {
        CompletableFuture<HttpResponse<String>> reply = getLater("/a", "Cache-Control", cacheControl);
        await().until(() -> cache.stats().validations() == 1);
        return reply;
    }

    private CompletableFuture<HttpResponse<String>> follows(String cacheControl) {
        long before = cache.stats().coalesced();
        CompletableFuture<HttpResponse<String>> reply = getLater("/a", "Cache-Control", cacheControl);
        await().until(() -> cache.stats().coalesced() == before + 1);
        return reply;
    }

    @ParameterizedTest
    @CsvSource({
        STALE + ", 200, no-transform, 502",
        NOTHING + ", 502, stale-if-error=600, 200",
        STALE + ", 200, 'stale-if-error=600, no-cache', 502",
        STALE + ", 200, 'stale-if-error=600, max-age=30', 502",
        STALE + ", 200, stale-if-error=600, 200"
    })
    void asksEachWhenTheOriginIsGone(String leading, int ledTo, String following, int followedTo) throws Exception {
        answerJoined((request, to) -> to.close());
        CompletableFuture<HttpResponse<String>> leader = leads(leading);
        CompletableFuture<HttpResponse<String>> follower = follows(following);
        joined.countDown();

        assertThat(leader.get().statusCode()).isEqualTo(ledTo);
        assertThat(follower.get().statusCode()).isEqualTo(followedTo);
    }

    @ParameterizedTest
    @CsvSource({STALE + ", no-transform", NOTHING + ", stale-if-error=600"})
    void asksEachWhenTheOriginErrs(String leading, String following) throws Exception {
        answerJoined((request, to) -> ScriptedOrigin.respond(to, 503, "down"));
        CompletableFuture<HttpResponse<String>> leader = leads(leading);
        CompletableFuture<HttpResponse<String>> follower = follows(following);
        joined.countDown();

        assertThat(leader.get().body()).isEqualTo(leading.equals(STALE) ? "old" : "down");
        assertThat(follower.get().body()).isEqualTo(following.equals(STALE) ? "old" : "down");
    }

    @Test
    void sharesAnErrorThatMayBeStoredWithThoseAloneWhoMayNotHaveAStaleResponse() throws Exception {
        answerJoined((request, to) -> ScriptedOrigin.respond(to, 503, "down", "Cache-Control: max-age=60"));
        CompletableFuture<HttpResponse<String>> leader = leads(NOTHING);
        CompletableFuture<HttpResponse<String>> may = follows(STALE);
        CompletableFuture<HttpResponse<String>> mayNot = follows(NOTHING);
        joined.countDown();

        assertThat(leader.get().body()).isEqualTo("down");
        assertThat(may.get().body()).isEqualTo("old");
        assertThat(value(may.get(), "cache-status")).contains("origin-failed");
        assertThat(mayNot.get().body()).isEqualTo("down");
        assertThat(origin.asked()).hasSize(2);
    }

    @Test
    void asksEachWhenTheResponseBreaksOff() throws Exception {
        answerJoined((request, to) -> {
            ScriptedOrigin.write(
                    to, "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 100\r\n\r\nonly this");
            to.close();
        });
        CompletableFuture<HttpResponse<String>> leader = leads(STALE);
        CompletableFuture<HttpResponse<String>> may = follows(STALE);
        CompletableFuture<HttpResponse<String>> mayNot = follows(NOTHING);
        joined.countDown();

        assertThatThrownBy(leader::get).isInstanceOf(ExecutionException.class);
        assertThat(may.get().body()).isEqualTo("old");
        assertThat(mayNot.get().statusCode()).isEqualTo(502);
        await().until(() -> cache.memory().transit() == 0);
    }
}
