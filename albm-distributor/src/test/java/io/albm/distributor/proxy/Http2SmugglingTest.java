// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.Http2Peer.block;
import static io.albm.distributor.proxy.Http2Peer.getLines;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What RFC 9113 forbids, and what would say something else in HTTP/1.1, reaches no backend. */
@Timeout(30)
class Http2SmugglingTest extends SmugglingHarness {
    static Stream<Arguments> malformed() {
        return Stream.of(
                refused("no method", ":scheme", "http", ":path", "/", ":authority", "a"),
                refused("no scheme", ":method", "GET", ":path", "/", ":authority", "a"),
                refused("no path", ":method", "GET", ":scheme", "http", ":authority", "a"),
                refused("an empty path", ":method", "GET", ":scheme", "http", ":path", "", ":authority", "a"),
                refused("no host", ":method", "GET", ":scheme", "http", ":path", "/"),
                refused("two methods", getLines(":method", "GET")),
                refused("two schemes", getLines(":scheme", "http")),
                refused("two paths", getLines(":path", "/b")),
                refused("two authorities", getLines(":authority", "b")),
                refused("a pseudo-header of responses", getLines(":status", "200")),
                refused("an unknown pseudo-header", getLines(":color", "red")),
                refused(
                        "a pseudo-header behind a header",
                        ":method",
                        "GET",
                        "x-a",
                        "b",
                        ":scheme",
                        "http",
                        ":path",
                        "/"),
                refused("a path that is none", ":method", "GET", ":scheme", "http", ":path", "a", ":authority", "a"),
                refused("a path with a space", ":method", "GET", ":scheme", "http", ":path", "/ b", ":authority", "a"),
                refused("a method with a space", ":method", "G T", ":scheme", "http", ":path", "/", ":authority", "a"),
                refused(
                        "an authority with a path",
                        ":method",
                        "GET",
                        ":scheme",
                        "http",
                        ":path",
                        "/",
                        ":authority",
                        "a/b"),
                refused(
                        "an authority with a user",
                        ":method",
                        "GET",
                        ":scheme",
                        "http",
                        ":path",
                        "/",
                        ":authority",
                        "a@b"),
                refused("a tunnel", ":method", "CONNECT", ":authority", "a:443"),
                refused("an extended tunnel", getLines(":protocol", "websocket")),
                refused("a host that is not the authority", getLines("host", "b")),
                refused("two hosts", getLines("host", "a", "host", "a")),
                refused("a name in upper case", getLines("X-A", "b")),
                refused("a name with a space", getLines("x a", "b")),
                refused("a name with a colon", getLines("x:a", "b")),
                refused("an empty name", getLines("", "b")),
                refused("a line break in a value", getLines("x-a", "b\r\nx-b: c")),
                refused("a bare LF in a value", getLines("x-a", "b\nc")),
                refused("a bare CR in a value", getLines("x-a", "b\rc")),
                refused("a NUL in a value", getLines("x-a", "b\0c")),
                refused("a NUL in a name", getLines("x\0a", "b")),
                refused("a value that begins with white space", getLines("x-a", " b")),
                refused("a value that begins with a tab", getLines("x-a", "\tb")),
                refused("connection", getLines("connection", "close")),
                refused("keep-alive", getLines("keep-alive", "timeout=5")),
                refused("proxy-connection", getLines("proxy-connection", "close")),
                refused("transfer-encoding", getLines("transfer-encoding", "chunked")),
                refused("upgrade", getLines("upgrade", "h2c")),
                refused("te that is not trailers", getLines("te", "gzip")),
                refused("a length without a body", getLines("content-length", "5")),
                refused("two lengths", getLines("content-length", "0", "content-length", "5")),
                refused("a signed length", getLines("content-length", "+0")),
                refused("an unknown expectation", getLines("expect", "the-unexpected")),
                refused(
                        "a head beyond its bound",
                        getLines(Stream.generate(() -> List.of("x-a", "b".repeat(100)))
                                .limit(300)
                                .flatMap(List::stream)
                                .toArray(String[]::new))));
    }

    private static Arguments refused(String name, String... lines) {
        return Arguments.of(name, lines);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void refusesTheStream(String name, String[] lines) throws Exception {
        try (Http2Peer client = Http2Peer.on(harness.connect())) {
            client.sendBlock(1, true, block(lines));

            assertThat(isRefused(client)).as(name).isTrue();
            assertThat(backend.heads()).as(name).isEmpty();
        }
    }

    private static boolean isRefused(Http2Peer client) throws Exception {
        Http2Peer.Frame frame = client.await(next ->
                (next.stream() == 1 && next.type() != Http2Peer.WINDOW_UPDATE) || next.type() == Http2Peer.GOAWAY);
        return frame.type() == Http2Peer.HEADERS
                ? client.read(frame).getFirst().matches(":status: [45]..")
                : frame.errorCode() == Http2Peer.PROTOCOL_ERROR;
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void neverPassesABodyOnThatIsNotOfTheLengthThatWasSaid(List<String> pieces) throws Exception {
        var bodies = new CopyOnWriteArrayList<String>();
        try (var reading = new RawBackend(
                        call -> bodies.add(new String(call.in().readNBytes(5), StandardCharsets.ISO_8859_1)));
                var own = new ProxyHarness(reading);
                Http2Peer client = Http2Peer.on(own.connect())) {
            client.sendHead(1, false, Http2Peer.head("POST", "/").add("content-length", "5"));
            for (int i = 0; i < pieces.size(); i++) {
                client.sendData(1, i == pieces.size() - 1, pieces.get(i));
            }

            assertThat(client.await(Http2Peer.RST_STREAM, 1).errorCode()).isEqualTo(Http2Peer.PROTOCOL_ERROR);
            assertThat(bodies).noneMatch(body -> body.length() > 5);
        }
    }

    static List<List<String>> bodies() {
        return List.of(List.of("four"), List.of("six..."), List.of("fo", "ur"), List.of(""));
    }
}
