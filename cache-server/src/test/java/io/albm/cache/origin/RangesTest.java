// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

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
}
