// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever two servers could read in two ways is refused, the connection is closed, and no backend hears of it. */
class SmugglingTest extends SmugglingHarness {
    static Stream<Arguments> malformed() {
        return Stream.of(
                refused(400, "two lengths that differ", post("Content-Length: 5", "Content-Length: 6")),
                refused(400, "two lengths that agree", post("Content-Length: 5", "Content-Length: 5")),
                refused(400, "a list of lengths", post("Content-Length: 5, 5")),
                refused(400, "a signed length", post("Content-Length: +5")),
                refused(400, "a negative length", post("Content-Length: -5")),
                refused(400, "a length that is no number", post("Content-Length: 0x5")),
                refused(400, "a length beyond all bounds", post("Content-Length: 99999999999999999999")),
                refused(400, "an empty length", post("Content-Length:")),
                refused(400, "length and chunks", post("Content-Length: 5", "Transfer-Encoding: chunked")),
                refused(400, "chunks and length", post("Transfer-Encoding: chunked", "Content-Length: 5")),
                refused(501, "an unknown coding", post("Transfer-Encoding: gzip")),
                refused(501, "two codings", post("Transfer-Encoding: gzip, chunked")),
                refused(501, "chunked not last", post("Transfer-Encoding: chunked, identity")),
                refused(501, "chunked twice", post("Transfer-Encoding: chunked", "Transfer-Encoding: chunked")),
                refused(501, "a coding that looks like chunked", post("Transfer-Encoding: xchunked")),
                refused(501, "a quoted coding", post("Transfer-Encoding: \"chunked\"")),
                refused(501, "no coding but identity", post("Transfer-Encoding: identity")),
                refused(501, "an empty coding", post("Transfer-Encoding:")),
                refused(400, "chunks in HTTP/1.0", head("POST / HTTP/1.0", "Host: a", "Transfer-Encoding: chunked")),
                refused(400, "white space before the colon", post("Content-Length : 5")),
                refused(400, "a tab before the colon", post("Transfer-Encoding\t: chunked")),
                refused(400, "a folded header", post("X-A: b", " Content-Length: 5")),
                refused(400, "a header folded by a tab", post("X-A: b", "\tContent-Length: 5")),
                refused(400, "a folded first header", head("GET / HTTP/1.1", " Host: a")),
                refused(400, "a bare LF after a header", post("X-A: b\nContent-Length: 5")),
                refused(400, "a bare CR in a header", post("X-A: b\rContent-Length: 5")),
                refused(400, "a bare CR at the end of a header", post("X-A: b\r\rContent-Length: 5")),
                refused(400, "a bare LF that ends the head", "GET / HTTP/1.1\r\nHost: a\r\n\n"),
                refused(400, "a NUL in a header", post("X-A: b\0c")),
                refused(400, "a NUL in a header's name", post("X\0A: b")),
                refused(400, "a NUL in the target", head("GET /\0 HTTP/1.1", "Host: a")),
                refused(400, "a bare CR in the request line", head("GET /\rX HTTP/1.1", "Host: a")),
                refused(400, "a header without a colon", post("Content-Length 5")),
                refused(400, "a header without a name", post(": 5")),
                refused(400, "a control character in a name", post("X\u0001A: 5")),
                refused(400, "no Host", head("GET / HTTP/1.1", "X-A: b")),
                refused(400, "two Hosts", head("GET / HTTP/1.1", "Host: a", "Host: b")),
                refused(400, "two Hosts that agree", head("GET / HTTP/1.1", "Host: a", "Host: a")),
                refused(400, "two Hosts in HTTP/1.0", head("GET / HTTP/1.0", "Host: a", "Host: b")),
                refused(400, "an empty Host", head("GET / HTTP/1.1", "Host:")),
                refused(400, "a Host with a path", head("GET / HTTP/1.1", "Host: a/b")),
                refused(400, "a Host with a user", head("GET / HTTP/1.1", "Host: a@b")),
                refused(400, "a Host list", head("GET / HTTP/1.1", "Host: a, b")),
                refused(400, "two spaces in the request line", head("GET  / HTTP/1.1", "Host: a")),
                refused(400, "a tab in the request line", head("GET\t/ HTTP/1.1", "Host: a")),
                refused(400, "a space in the target", head("GET /a b HTTP/1.1", "Host: a")),
                refused(400, "a bare LF after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n"),
                refused(400, "no version", head("GET /", "Host: a")),
                refused(400, "a fragment in the target", head("GET /a#b HTTP/1.1", "Host: a")),
                refused(400, "a target that is neither path nor URI", head("GET a HTTP/1.1", "Host: a")),
                refused(400, "an asterisk with GET", head("GET * HTTP/1.1", "Host: a")),
                refused(400, "a target beyond ASCII", head("GET /\u00e4 HTTP/1.1", "Host: a")),
                refused(400, "a method that is no token", head("GE(T / HTTP/1.1", "Host: a")),
                refused(505, "another major version", head("GET / HTTP/2.0", "Host: a")),
                refused(505, "another minor version", head("GET / HTTP/1.2", "Host: a")),
                refused(501, "a tunnel", head("CONNECT a:443 HTTP/1.1", "Host: a:443")),
                refused(417, "an unknown expectation", post("Expect: the-unexpected", "Content-Length: 5")),
                refused(
                        414,
                        "a request line beyond its bound",
                        head("GET /" + "a".repeat(20_000) + " HTTP/1.1", "Host: a")),
                refused(431, "a head beyond its bound", post("X-A: " + "a".repeat(20_000))),
                refused(431, "too many headers", post("X-A: 1\r\n".repeat(5_000) + "X-B: 2")));
    }

    private static Arguments refused(int status, String name, String bytes) {
        return Arguments.of(name, status, bytes);
    }

    private static String post(String... headers) {
        return head(Stream.concat(Stream.of("POST / HTTP/1.1", "Host: a"), Stream.of(headers))
                .toArray(String[]::new));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void refusesAndCloses(String name, int status, String bytes) throws IOException {
        String smuggled = head("GET /smuggled HTTP/1.1", "Host: a");

        String answer = harness.talk(bytes + smuggled);

        assertThat(answer).as(name).startsWith("HTTP/1.1 " + status + " ").containsIgnoringCase("connection: close");
        assertThat(answer.split("HTTP/1.1 ", -1)).as("one answer only").hasSize(2);
        assertThat(backend.heads()).isEmpty();
    }

    static List<String> badBodies() {
        return List.of(
                "x\r\nhello\r\n0\r\n\r\n",
                "-5\r\nhello\r\n0\r\n\r\n",
                "0x5\r\nhello\r\n0\r\n\r\n",
                "\r\nhello\r\n0\r\n\r\n",
                "5 \r\nhello\r\n0\r\n\r\n",
                " 5\r\nhello\r\n0\r\n\r\n",
                "5\nhello\r\n0\r\n\r\n",
                "5\rhello\r\n0\r\n\r\n",
                "5\r\nhelloX\r\n0\r\n\r\n",
                "5\r\nhello\n0\r\n\r\n",
                "5;a=\u0001\r\nhello\r\n0\r\n\r\n",
                "5;" + "a".repeat(300) + "\r\nhello\r\n0\r\n\r\n",
                "fffffffffffffffff\r\n",
                "5\r\nhello\r\n0\r\nno trailer\r\n\r\n",
                "5\r\nhello\r\n0\r\nA: b\n\r\n",
                "5\r\nhello\r\n0\r\nA: b\0\r\n\r\n",
                "5\r\nhello\r\n0\r\nA: b\r\n folded\r\n\r\n",
                "5\r\nhello\r\n0\r\n" + "A: b\r\n".repeat(3_000) + "\r\n");
    }

    @ParameterizedTest
    @MethodSource("badBodies")
    void neverPassesABodyOnThatIsNotWellChunked(String chunks) throws IOException {
        var bodies = new CopyOnWriteArrayList<String>();
        try (var reading = new RawBackend(call -> {
                    bodies.add(new String(call.in().readAllBytes(), StandardCharsets.ISO_8859_1));
                });
                var own = new ProxyHarness(reading);
                Socket client = own.connect()) {
            RawClient.send(
                    client, post("Transfer-Encoding: chunked") + chunks + head("GET /smuggled HTTP/1.1", "Host: a"));
            String answer = RawClient.readAll(client);

            assertThat(answer).startsWith("HTTP/1.1 400 ").containsIgnoringCase("connection: close");
            assertThat(answer.split("HTTP/1.1 ", -1)).as("one answer only").hasSize(2);
            await().until(() -> reading.openConnections() == 0);
            assertThat(reading.heads()).hasSizeLessThan(2);
            assertThat(bodies).noneMatch(body -> body.contains("smuggled") || body.endsWith("\r\n\r\n"));
        }
    }

    @ParameterizedTest
    @MethodSource("namedByConnection")
    void keepsFramingHeadersThatAClientNamesInConnection(String named) throws IOException {
        try (var echo = new RawBackend(call -> {
                    int length =
                            call.header("Content-Length").map(Integer::parseInt).orElse(0);
                    call.in().readNBytes(length);
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Length: " + length + "\r\n\r\nok");
                });
                var own = new ProxyHarness(echo)) {
            String answer = own.talk(post("Connection: close, " + named, "Content-Length: 5") + "hello");

            assertThat(answer).containsIgnoringCase("x-length: 5").endsWith("ok");
            assertThat(echo.heads()).hasSize(1).first().asString().containsIgnoringCase("host: a");
        }
    }

    static List<String> namedByConnection() {
        return List.of("Content-Length", "Host", "transfer-encoding");
    }
}
