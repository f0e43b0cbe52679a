// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and responses by which one client could decide what others get. */
class PoisoningTest extends OriginHarness {

    private static final String GOOD = "good";

    private void assertThatOthersGetWhatIsGood() throws Exception {
        origin.answer(GOOD, "Cache-Control: max-age=60");
        assertThat(get("/a").body()).isEqualTo(GOOD);
    }

    @Test
    void keepsNothingOfAGetWithABody() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(to, 200, request.body(), "Cache-Control: max-age=60"));
        String reply = raw("GET /a HTTP/1.1\r\nHost: " + server.address()
                + "\r\nContent-Length: 4\r\nConnection: close\r\n\r\nevil");
        assertThat(reply).endsWith("evil");
        assertThatOthersGetWhatIsGood();
    }

    @ParameterizedTest
    @CsvSource({
        "412, If-Match, '\"x\"'",
        "416, Range, bytes=90-99",
        "417, X-Any, x",
        "413, X-Any, x",
        "431, X-Any, x",
        "429, X-Any, x",
        "421, X-Any, x"
    })
    void keepsNothingThatSpeaksOfOneRequest(int status, String name, String value) throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(to, status, "evil", "Cache-Control: max-age=60"));
        assertThat(get("/a", name, value).statusCode()).isEqualTo(status);
        assertThatOthersGetWhatIsGood();
    }

    @ParameterizedTest
    @CsvSource({
        "X-Forwarded-Host, evil",
        "X-Forwarded-Port, 666",
        "X-Forwarded-Proto, evil",
        "X-Forwarded-Proto, 'https, http'",
        "Forwarded, for=1.2.3.4;host=evil",
        "Forwarded, proto=evil",
        "X-Original-URL, /evil",
        "X-Rewrite-URL, /evil",
        "X-HTTP-Method-Override, DELETE",
        "X-Forwarded-Prefix, /evil",
        "X-Host, evil"
    })
    void keepsAndReusesNothingForWhoClaimsToBeAnother(String name, String value) throws Exception {
        origin.answer("evil", "Cache-Control: max-age=60");
        assertThat(get("/a", name, value).body()).isEqualTo("evil");
        assertThatOthersGetWhatIsGood();
        origin.answer("evil", "Cache-Control: max-age=60");
        assertThat(get("/a", name, value).body()).isEqualTo("evil");
        assertThat(get("/a").body()).isEqualTo(GOOD);
    }

    @Test
    void sharesWithWhoCameThroughAProxyThatSaysTheTruth() throws Exception {
        String host = server.address().toString();
        String port = Integer.toString(server.address().port());
        origin.answer(GOOD, "Cache-Control: max-age=60");
        get("/a");
        get("/a", "X-Forwarded-Host", host, "X-Forwarded-Proto", "http", "X-Forwarded-Port", port);
        get("/a", "X-Forwarded-For", "1.2.3.4", "Forwarded", "for=1.2.3.4;host=\"" + host + "\";proto=http");
        assertThat(origin.asked()).hasSize(1);
    }

    @Test
    void tellsSchemesApartAndChangesThemTogether() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to, 200, String.valueOf(request.header("x-forwarded-proto")), "Cache-Control: max-age=60"));
        assertThat(get("/a").body()).isEqualTo("null");
        assertThat(get("/a", "X-Forwarded-Proto", "https").body()).isEqualTo("https");
        assertThat(get("/a", "X-Forwarded-Proto", "https").body()).isEqualTo("https");
        assertThat(get("/a", "X-Forwarded-Proto", "http").body()).isEqualTo("null");
        assertThat(cache.responses()).isEqualTo(2);
        post("/a", "news");
        assertThat(cache.responses()).isZero();
    }

    @Test
    void takesNoHostForTheBeginningOfAnotherHostsUrl() throws Exception {
        origin.answer("evil", "Cache-Control: max-age=60");
        String reply = raw("GET //" + server.address() + "/a HTTP/1.1\r\nHost: https:\r\nConnection: close\r\n\r\n");
        assertThat(reply).endsWith("evil");
        await().until(() -> cache.responses() == 1);
        origin.answer(GOOD, "Cache-Control: max-age=60");
        assertThat(get("/a", "X-Forwarded-Proto", "https").body()).isEqualTo(GOOD);
    }

    @Test
    void judgesNoFieldThatDidNotReachTheOrigin() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to, 200, String.valueOf(request.header("foo")), "Cache-Control: max-age=60", "Vary: Foo"));
        raw("GET /a HTTP/1.1\r\nHost: " + server.address() + "\r\nFoo: 1\r\nConnection: foo, close\r\n\r\n");
        assertThat(get("/a", "Foo", "1").body()).isEqualTo("1");
    }

    @Test
    void sharesNoValidatedResponseThatBecameOneClients() throws Exception {
        origin.answer(GOOD, "Cache-Control: max-age=60", "ETag: \"a\"");
        get("/a");
        passSeconds(61);
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to,
                request.header("if-none-match") == null ? 200 : 304,
                "anonymous",
                "Cache-Control: private, max-age=60",
                "ETag: \"a\"",
                "Set-Cookie: session=1"));
        HttpResponse<String> own = get("/a");
        assertThat(own.body()).isEqualTo(GOOD);
        assertThat(value(own, "set-cookie")).isEqualTo("session=1");
        assertThat(cache.responses()).isZero();
        assertThat(get("/a").body()).isEqualTo("anonymous");
    }

    @Test
    void takesNoNewsFromAHeadForOneClient() throws Exception {
        origin.answer(GOOD, "Cache-Control: max-age=60", "ETag: \"a\"");
        get("/a");
        origin.answer(
                (request, to) -> ScriptedOrigin.write(
                        to,
                        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nETag: \"a\"\r\nCache-Control: private\r\nSet-Cookie: session=1\r\n\r\n"));
        send(to("/a", "Cache-Control", "no-cache").method("HEAD", HttpRequest.BodyPublishers.noBody()));
        assertThat(origin.asked()).hasSize(2);
        assertThat(value(get("/a"), "set-cookie")).isEmpty();
        assertThat(origin.asked()).hasSize(2);
    }

    @Test
    void takesNoNewsFromAHeadThatClaimsToBeAnother() throws Exception {
        origin.answer(GOOD, "Cache-Control: max-age=60", "ETag: \"a\"");
        get("/a");
        origin.answer((request, to) -> ScriptedOrigin.write(
                to, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nETag: \"b\"\r\nCache-Control: max-age=60\r\n\r\n"));
        send(to("/a", "X-Forwarded-Host", "evil").method("HEAD", HttpRequest.BodyPublishers.noBody()));
        assertThat(origin.asked()).hasSize(2);
        assertThat(get("/a").body()).isEqualTo(GOOD);
        assertThat(origin.asked()).hasSize(2);
    }

    @Test
    void guessesNoLifetimeForWhatSetsACookie() throws Exception {
        String old = "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT";
        origin.answer("x", old, "Set-Cookie: session=1");
        get("/a");
        assertThat(cache.responses()).isZero();
        origin.answer("x", old);
        get("/b");
        await().until(() -> cache.responses() == 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {304, 206})
    void takesNoAnswerToAQuestionThatNobodyAsked(int status) throws Exception {
        origin.answer((request, to) ->
                ScriptedOrigin.respond(to, status, "x", "Cache-Control: max-age=60", "Content-Range: bytes 0-0/9"));
        HttpResponse<String> reply = get("/a");
        assertThat(reply.statusCode()).isEqualTo(502);
        assertThat(reply.body()).contains("status " + status + ", which nothing in the request asked for");
        await().until(() -> cache.memory().transit() == 0);
        assertThatOthersGetWhatIsGood();
    }

    @Test
    void keepsAHintFromSayingHowLongItIs() throws Exception {
        origin.answer(
                (request, to) -> ScriptedOrigin.write(
                        to,
                        "HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\nLink: </s.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
        String reply = raw("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        assertThat(reply)
                .contains("Link: </s.css>")
                .doesNotContain("Content-Length: 9")
                .endsWith("ok");
    }

    @Test
    void endsAnOriginThatNeverComesToThePoint() throws Exception {
        String hint = "HTTP/1.1 102 Processing\r\n\r\n";
        origin.answer((request, to) -> ScriptedOrigin.write(to, hint.repeat(1000)));
        HttpResponse<String> reply = get("/a");
        assertThat(reply.statusCode()).isEqualTo(502);
        assertThat(reply.body()).contains("interim");
    }

    @Test
    void saysOnceWhichPartOfAWholeItIs() throws Exception {
        origin.answer("0123456789", "Cache-Control: max-age=60", "Content-Range: bytes 0-9/100");
        get("/a");
        HttpResponse<String> part = get("/a", "Range", "bytes=2-4");
        assertThat(part.headers().allValues("content-range")).containsExactly("bytes 2-4/10");
    }

    @Test
    void remembersNoNameThatIsLongerThanAResponse() throws Exception {
        origin.answer("x", "Cache-Control: max-age=60", "Vary: Foo");
        get("/" + "a".repeat(ResponseKey.MOST_CHARACTERS));
        get("/a", "Foo", "b".repeat(ResponseKey.MOST_CHARACTERS));
        assertThat(cache.responses()).isZero();
        get("/a", "Foo", "b");
        await().until(() -> cache.responses() == 1);
    }

    @Test
    void tellsFieldsApartThatAreNoLists() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(
                to, 200, String.valueOf(request.header("cookie")), "Cache-Control: max-age=60", "Vary: Cookie"));
        get("/a", "Cookie", "session=1,");
        assertThat(get("/a", "Cookie", "session=1").body()).isEqualTo("session=1");
    }

    @Test
    void keepsTheLengthOfABodyThatIsEmpty() throws Exception {
        origin.answer("x");
        raw("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        assertThat(origin.last().header("content-length")).isEqualTo("0");
    }

    @Test
    void letsNoFieldDecideWhereARequestEnds() throws Exception {
        origin.answer((request, to) -> ScriptedOrigin.respond(to, 200, request.body()));
        String reply = raw(
                "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nConnection: close, content-length\r\n\r\nbody");
        assertThat(reply).endsWith("body");
        for (String odd : new String[] {
            "Content-Length: 4\r\nTransfer-Encoding: chunked",
            "Content-Length: 4\r\nContent-Length: 5",
            "Transfer-Encoding : chunked",
            "Transfer-Encoding: chunked, identity",
            "X: y\r\n folded: z"
        }) {
            assertThat(raw("POST /a HTTP/1.1\r\nHost: h\r\n" + odd + "\r\n\r\n0\r\n\r\n"))
                    .as(odd)
                    .matches("(?s)HTTP/1.1 (400|501) .*");
        }
        assertThat(origin.asked()).hasSize(1);
    }
}
