// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses fetched before clients ask for them. */
class WarmupTest extends OriginHarness {

    private CompletableFuture<String> warmLater(String name) {
        CompletableFuture<String> end = new CompletableFuture<>();
        cache.warm(name, end::complete);
        return end;
    }

    private String warm(String name) throws Exception {
        return warmLater(name).get(10, TimeUnit.SECONDS);
    }

    private String own(String path) {
        return server.address() + path;
    }

    @Test
    void fetchesWhatClientsThenFindInMemory() throws Exception {
        origin.answer("hello", "Cache-Control: max-age=60");
        assertThat(warm("http://" + own("/a?b"))).isEqualTo("stored");
        assertThat(warm(own("/a?b"))).isEqualTo("stored");
        assertThat(get("/a?b").body()).isEqualTo("hello");
        assertThat(origin.asked()).hasSize(1);
        assertThat(origin.last().header("host")).isEqualTo(server.address().toString());
        assertThat(cache.windowOccupancy()).isZero();
    }

    @Test
    void fetchesAPathForTheHostThatTheOriginIs() throws Exception {
        origin.answer("hello", "Cache-Control: max-age=60");
        assertThat(warm("/a")).isEqualTo("stored");
        assertThat(origin.last().header("host")).isEqualTo(origin.address().toString());
    }

    @Test
    void fetchesForClientsOfHttps() throws Exception {
        origin.answer("hello", "Cache-Control: max-age=60");
        assertThat(warm("https://" + own("/a"))).isEqualTo("stored");
        get("/a", "X-Forwarded-Proto", "https");
        assertThat(origin.asked()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"200, no-store, not cacheable", "200, private, not cacheable", "404, max-age=60, answered 404"})
    void saysWhatWasNotStored(int status, String cacheControl, String end) throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(to, status, "x", "Cache-Control: " + cacheControl));
        assertThat(warm(own("/a"))).isEqualTo(end);
    }

    @Test
    void saysThatTheOriginFailed() throws Exception {
        origin.close();
        assertThat(warm(own("/a"))).isEqualTo("failed");
    }

    @Test
    void validatesWhatIsStale() throws Exception {
        origin.answer("hello", "Cache-Control: max-age=60", "ETag: \"a\"");
        get("/a");
        passSeconds(61);
        origin.answer((request, to) -> ScriptedOrigin.respond(to, 304, "", "ETag: \"a\"", "Cache-Control: max-age=60"));
        assertThat(warm(own("/a"))).isEqualTo("stored");
        get("/a");
        assertThat(origin.asked()).hasSize(2);
    }

    @Test
    void waitsForWhatAClientAskedFor() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        origin.answer((request, to) -> {
            release.await();
            ScriptedOrigin.respond(to, 200, "hello", "Cache-Control: max-age=60");
        });
        CompletableFuture<String> first = warmLater(own("/a"));
        CompletableFuture<String> second = warmLater(own("/a"));
        release.countDown();
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("stored");
        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("stored");
        assertThat(origin.asked()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "http:///a", "ftp://h/a", "h/a b", "h/a#b", "h/a\r\nX: y", "user@h/a", "http://"})
    void refusesWhatIsNoName(String name) throws Exception {
        assertThat(warm(name)).isEqualTo("malformed");
        assertThat(origin.asked()).isEmpty();
    }
}
