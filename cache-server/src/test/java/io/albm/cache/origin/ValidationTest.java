// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What the origin is asked about what is stored. */
class ValidationTest extends OriginHarness {

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
    void keepsWhatItServesStaleToAClientThatWantsNothingStored() throws Exception {
        origin.answer("old", "Cache-Control: max-age=60, stale-while-revalidate=60", "ETag: \"a\"");
        get("/a");
        passSeconds(61);
        origin.answer((request, to) -> ScriptedOrigin.respond(to, 304, "", "ETag: \"a\"", "Cache-Control: max-age=60"));
        assertThat(get("/a", "Cache-Control", "no-store").body()).isEqualTo("old");
        assertThat(cache.stats().validations()).isZero();
        assertThat(get("/a").body()).isEqualTo("old");
        await().until(() -> cache.stats().validated() == 1);
        assertThat(cache.responses()).isEqualTo(1);
        assertThat(origin.asked()).hasSize(2);
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

    @Test
    void findsWhatItValidatedByWhatTheOriginNowSelectsBy() throws Exception {
        origin.answer("one", "Cache-Control: max-age=60", "ETag: \"1\"");
        get("/a", "Foo", "1");
        passSeconds(61);
        origin.answer((request, to) ->
                ScriptedOrigin.respond(to, 304, "", "ETag: \"1\"", "Cache-Control: max-age=60", "Vary: Foo"));
        assertThat(get("/a", "Foo", "1").body()).isEqualTo("one");
        origin.answer("two", "Cache-Control: max-age=60", "ETag: \"2\"", "Vary: Foo");
        assertThat(get("/a", "Foo", "2").body()).isEqualTo("two");
        assertThat(get("/a", "Foo", "1").body()).isEqualTo("one");
        assertThat(origin.asked()).hasSize(3);
        assertThat(cache.responses()).isEqualTo(2);
        assertThat(cache.memory().transit()).isZero();
    }
}
