// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of responses. */
class RangesTest extends OriginHarness {

    @Test
    void answersRangesFromAStoredWhole() throws Exception {
        origin.answer("0123456789", "Cache-Control: max-age=60", "ETag: \"a\"");
        get("/a");
        HttpResponse<String> part = get("/a", "Range", "bytes=2-4");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo("234");
        assertThat(value(part, "content-range")).isEqualTo("bytes 2-4/10");
        assertThat(get("/a", "Range", "bytes=-3").body()).isEqualTo("789");
        assertThat(get("/a", "Range", "bytes=2-4", "If-Range", "\"b\"").body()).isEqualTo("0123456789");
        assertThat(get("/a", "Range", "bytes=2-4", "If-Range", "\"a\"").body()).isEqualTo("234");
        HttpResponse<String> beyond = get("/a", "Range", "bytes=20-");
        assertThat(beyond.statusCode()).isEqualTo(416);
        assertThat(value(beyond, "content-range")).isEqualTo("bytes */10");
        assertThat(origin.asked()).hasSize(1);
    }

    @Test
    void passesARangeOnIfNothingIsStored() throws Exception {
        origin.answer((request, to) ->
                ScriptedOrigin.respond(to, 206, "23", "Content-Range: bytes 2-3/10", "Cache-Control: max-age=60"));
        assertThat(get("/a", "Range", "bytes=2-3").statusCode()).isEqualTo(206);
        assertThat(origin.last().header("range")).isEqualTo("bytes=2-3");
        assertThat(cache.responses()).isZero();
    }

    /** An origin of one document that knows ranges of the form {@code bytes=2-4}. */
    private void answerRanges(String body, String... headers) {
        origin.answer((request, to) -> {
            String range = request.header("range");
            if (range == null) {
                ScriptedOrigin.respond(to, 200, body, headers);
                return;
            }
            String[] ends = range.substring("bytes=".length()).split("-", -1);
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[1]);
            String[] all = Arrays.copyOf(headers, headers.length + 1);
            all[headers.length] = "Content-Range: bytes " + first + "-" + last + "/" + body.length();
            ScriptedOrigin.respond(to, 206, body.substring(first, last + 1), all);
        });
    }

    @Test
    void fetchesTheWholeOfASmallDocumentForItsSecondPart() throws Exception {
        answerRanges("0123456789", "Cache-Control: max-age=60", "ETag: \"a\"");
        assertThat(get("/a", "Range", "bytes=2-4").body()).isEqualTo("234");
        assertThat(origin.last().header("range")).isEqualTo("bytes=2-4");
        HttpResponse<String> second = get("/a", "Range", "bytes=5-7");
        assertThat(second.statusCode()).isEqualTo(206);
        assertThat(second.body()).isEqualTo("567");
        assertThat(value(second, "content-range")).isEqualTo("bytes 5-7/10");
        assertThat(value(second, "etag")).isEqualTo("\"a\"");
        assertThat(origin.last().header("range")).isNull();
        await().until(() -> cache.responses() == 1);
        assertThat(get("/a", "Range", "bytes=0-1").body()).isEqualTo("01");
        assertThat(get("/a").body()).isEqualTo("0123456789");
        assertThat(origin.asked()).hasSize(2);
    }

    @Test
    void sendsAPartAsSoonAsItIsThere() throws Exception {
        answerRanges("0123456789", "Cache-Control: max-age=60");
        get("/a", "Range", "bytes=0-1");
        CountDownLatch release = new CountDownLatch(1);
        origin.answer((request, to) -> {
            ScriptedOrigin.write(to, "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\n01234");
            release.await();
            ScriptedOrigin.write(to, "56789");
        });
        assertThat(get("/a", "Range", "bytes=1-3").body()).isEqualTo("123");
        release.countDown();
        await().until(() -> cache.responses() == 1);
        assertThat(get("/a").body()).isEqualTo("0123456789");
    }

    @Test
    void asksForPartsAloneOfWhatIsTooLarge() throws Exception {
        answerRanges("x".repeat(3 << 20), "Cache-Control: max-age=60");
        for (int i = 0; i < 3; i++) {
            assertThat(get("/a", "Range", "bytes=2-4").body()).isEqualTo("xxx");
            assertThat(origin.last().header("range")).isEqualTo("bytes=2-4");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"private", "no-store"})
    void asksForPartsAloneOfWhatIsNotStored(String cacheControl) throws Exception {
        answerRanges("0123456789", "Cache-Control: " + cacheControl);
        for (int i = 0; i < 3; i++) {
            assertThat(get("/a", "Range", "bytes=2-4").body()).isEqualTo("234");
            assertThat(origin.last().header("range")).isEqualTo("bytes=2-4");
        }
    }

    @Test
    void asksForThePartAgainIfTheWholeIsNotKeptAfterAll() throws Exception {
        answerRanges("0123456789", "Cache-Control: max-age=60");
        get("/a", "Range", "bytes=2-4");
        answerRanges("0123456789".repeat(1 << 19), "Cache-Control: max-age=60");
        HttpResponse<String> part = get("/a", "Range", "bytes=11-13");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo("123");
        assertThat(origin.last().header("range")).isEqualTo("bytes=11-13");
        assertThat(origin.asked()).hasSize(3);
        await().until(() -> cache.memory().transit() == 0);
    }

    @Test
    void judgesIfRangeByTheWholeThatCame() throws Exception {
        answerRanges("0123456789", "Cache-Control: no-cache, max-age=60", "ETag: \"a\"");
        get("/a", "Range", "bytes=2-4");
        assertThat(get("/a", "Range", "bytes=2-4", "If-Range", "\"b\"").body()).isEqualTo("0123456789");
        assertThat(get("/b", "If-Range", "\"b\"").body()).isEqualTo("0123456789");
    }
}
