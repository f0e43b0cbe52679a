// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.cache.policy.MeasuredReadCost;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** What is stored, and how it is served. */
class StoredResponsesTest extends OriginHarness {

    @Test
    void asksOnceForWhatIsFresh() throws Exception {
        origin.answer("hello", "Cache-Control: max-age=60", "X-Own: 7");
        HttpResponse<String> first = get("/a?b=c");
        passSeconds(5);
        HttpResponse<String> second = get("/a?b=c");
        assertThat(first.body()).isEqualTo("hello");
        assertThat(value(first, "cache-status")).isEqualTo("albm; fwd=uri-miss; fwd-status=200; stored");
        assertThat(second.body()).isEqualTo("hello");
        assertThat(value(second, "age")).isEqualTo("5");
        assertThat(value(second, "x-own")).isEqualTo("7");
        assertThat(value(second, "via")).isEqualTo("1.1 albm");
        assertThat(value(second, "cache-status")).isEqualTo("albm; hit; ttl=55");
        assertThat(origin.asked()).hasSize(1);
        assertThat(origin.last().target()).isEqualTo("/a?b=c");
        assertThat(origin.last().header("via")).isEqualTo("1.1 albm");
        assertThat(cache.stats().hits()).isEqualTo(1);
        assertThat(cache.stats().misses()).isEqualTo(1);
        assertThat(cache.responses()).isEqualTo(1);
    }

    @Test
    void tellsHostsApart() throws Exception {
        origin.answer((request, to) ->
                ScriptedOrigin.respond(to, 200, String.valueOf(request.header("host")), "Cache-Control: max-age=60"));
        assertThat(raw("GET /a HTTP/1.1\r\nHost: One\r\nConnection: close\r\n\r\n"))
                .endsWith("\r\n\r\none");
        assertThat(raw("GET /a HTTP/1.1\r\nHost: two\r\nConnection: close\r\n\r\n"))
                .endsWith("\r\n\r\ntwo");
        assertThat(raw("GET http://one/a HTTP/1.1\r\nHost: two\r\nConnection: close\r\n\r\n"))
                .endsWith("\r\n\r\none");
        assertThat(origin.asked()).hasSize(2);
    }

    @Test
    void storesAResponseInChunks() throws Exception {
        origin.answer(
                (request, to) -> ScriptedOrigin.write(
                        to,
                        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n"));
        assertThat(get("/a").body()).isEqualTo("abcdefg");
        HttpResponse<String> second = get("/a");
        assertThat(second.body()).isEqualTo("abcdefg");
        assertThat(value(second, "content-length")).isEqualTo("7");
        assertThat(origin.asked()).hasSize(1);
    }

    @Test
    void passesOnButDoesNotStoreWhatEndsWithTheConnection() throws Exception {
        origin.answer((request, to) -> {
            ScriptedOrigin.write(to, "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\r\nabc");
            to.close();
        });
        assertThat(get("/a").body()).isEqualTo("abc");
        assertThat(get("/a").body()).isEqualTo("abc");
        assertThat(origin.asked()).hasSize(2);
    }

    @Test
    void passesOnEarlyHints() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.write(
                to,
                "HTTP/1.1 103 Early Hints\r\nLink: </s.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
        String reply = raw("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        assertThat(reply)
                .startsWith("HTTP/1.1 103 Early Hints\r\nLink: </s.css>\r\n")
                .endsWith("\r\n\r\nok");
    }

    @Test
    void answersHeadFromAStoredGet() throws Exception {
        origin.answer("hello", "Cache-Control: max-age=60");
        get("/a");
        HttpResponse<String> reply = head("/a");
        assertThat(value(reply, "content-length")).isEqualTo("5");
        assertThat(reply.body()).isEmpty();
        assertThat(origin.asked()).hasSize(1);
    }

    @Test
    void judgesTheClientsConditions() throws Exception {
        origin.answer("hello", "Cache-Control: max-age=60", "ETag: \"a\"", "X-Own: 7");
        HttpResponse<String> miss = get("/a", "If-None-Match", "\"a\"");
        assertThat(miss.statusCode()).isEqualTo(304);
        await().until(() -> cache.responses() == 1);
        HttpResponse<String> hit = get("/a", "If-None-Match", "\"b\", W/\"a\"");
        assertThat(hit.statusCode()).isEqualTo(304);
        assertThat(value(hit, "etag")).isEqualTo("\"a\"");
        assertThat(value(hit, "x-own")).isEmpty();
        assertThat(get("/a", "If-None-Match", "\"b\"").body()).isEqualTo("hello");
        assertThat(origin.asked()).hasSize(1);
        assertThat(origin.last().header("if-none-match")).isNull();
    }

    @Test
    void learnsWhatReadsFromTheOriginCost() throws Exception {
        MeasuredReadCost.Line before = cache.control().readCost();
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to, 200, "x".repeat(1000 * request.target().length()), "Cache-Control: no-store"));
        for (int i = 1; i <= 40; i++) {
            get("/" + "a".repeat(i % 10));
        }
        assertThat(cache.control().readCost()).isEqualTo(before);
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to, 200, "x".repeat(1000 * request.target().length()), "Cache-Control: max-age=60"));
        for (int i = 1; i <= 40; i++) {
            get("/" + "b".repeat(i));
        }
        // Of a line through few times nothing else is certain.
        assertThat(cache.control().readCost()).isNotEqualTo(before);
    }
}
