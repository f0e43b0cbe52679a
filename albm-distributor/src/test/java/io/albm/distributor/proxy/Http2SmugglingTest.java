// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What RFC 9113 forbids, and what would say something else in HTTP/1.1, reaches no backend; floods end the connection. */
@Timeout(30)
class Http2SmugglingTest {
    private static final int MANY = 2_000;
    private static final int MOST_RESETS = 250;

    private static RawBackend backend;
    private static ProxyHarness harness;

    @BeforeAll
    static void start() throws IOException {
        backend = new RawBackend(RawBackend.text("should not be asked"));
        harness = new ProxyHarness(backend);
    }

    @AfterAll
    static void stop() throws IOException {
        harness.close();
        backend.close();
    }

    static Stream<Arguments> malformed() {
        return Stream.of(
                refused("no method", ":scheme", "http", ":path", "/", ":authority", "a"),
                refused("no scheme", ":method", "GET", ":path", "/", ":authority", "a"),
                refused("no path", ":method", "GET", ":scheme", "http", ":authority", "a"),
                refused("an empty path", ":method", "GET", ":scheme", "http", ":path", "", ":authority", "a"),
                refused("no host", ":method", "GET", ":scheme", "http", ":path", "/"),
                refused("two methods", get(":method", "GET")),
                refused("two schemes", get(":scheme", "http")),
                refused("two paths", get(":path", "/b")),
                refused("two authorities", get(":authority", "b")),
                refused("a pseudo-header of responses", get(":status", "200")),
                refused("an unknown pseudo-header", get(":color", "red")),
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
                refused("an extended tunnel", get(":protocol", "websocket")),
                refused("a host that is not the authority", get("host", "b")),
                refused("two hosts", get("host", "a", "host", "a")),
                refused("a name in upper case", get("X-A", "b")),
                refused("a name with a space", get("x a", "b")),
                refused("a name with a colon", get("x:a", "b")),
                refused("an empty name", get("", "b")),
                refused("a line break in a value", get("x-a", "b\r\nx-b: c")),
                refused("a bare LF in a value", get("x-a", "b\nc")),
                refused("a bare CR in a value", get("x-a", "b\rc")),
                refused("a NUL in a value", get("x-a", "b\0c")),
                refused("a NUL in a name", get("x\0a", "b")),
                refused("a value that begins with white space", get("x-a", " b")),
                refused("a value that begins with a tab", get("x-a", "\tb")),
                refused("connection", get("connection", "close")),
                refused("keep-alive", get("keep-alive", "timeout=5")),
                refused("proxy-connection", get("proxy-connection", "close")),
                refused("transfer-encoding", get("transfer-encoding", "chunked")),
                refused("upgrade", get("upgrade", "h2c")),
                refused("te that is not trailers", get("te", "gzip")),
                refused("a length without a body", get("content-length", "5")),
                refused("two lengths", get("content-length", "0", "content-length", "5")),
                refused("a signed length", get("content-length", "+0")),
                refused("an unknown expectation", get("expect", "the-unexpected")),
                refused(
                        "a head beyond its bound",
                        get(Stream.generate(() -> List.of("x-a", "b".repeat(100)))
                                .limit(300)
                                .flatMap(List::stream)
                                .toArray(String[]::new))));
    }

    private static Arguments refused(String name, String... lines) {
        return Arguments.of(name, lines);
    }

    private static String[] get(String... more) {
        return Stream.concat(
                        Stream.of(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "a"),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    /** Names and values literally: RFC 7541, 6.2.2. */
    private static byte[] block(String... lines) {
        var block = new ByteArrayOutputStream();
        for (int i = 0; i < lines.length; i++) {
            if (i % 2 == 0) {
                block.write(0);
            }
            block.write(lines[i].length());
            block.writeBytes(lines[i].getBytes(StandardCharsets.ISO_8859_1));
        }
        return block.toByteArray();
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

    @Test
    void aFloodOfContinuationsEndsTheConnection() throws Exception {
        try (Http2Peer client = Http2Peer.on(harness.connect())) {
            client.send(Http2Peer.HEADERS, Http2Peer.END_STREAM, 1, block(get()));
            flood(client, () -> client.write(Http2Peer.CONTINUATION, 0, 1));

            assertThat(goodbye(client)).isEqualTo(Http2Peer.ENHANCE_YOUR_CALM);
            assertThat(backend.heads()).isEmpty();
        }
    }

    @Test
    void aFloodOfResetsEndsTheConnectionAndReachesNoMoreThanSomeOfTheBackends() throws Exception {
        try (var asked = new RawBackend(RawBackend.text("ok"));
                var own = new ProxyHarness(asked);
                Http2Peer client = Http2Peer.on(own.connect())) {
            var stream = new int[] {1};
            flood(client, () -> {
                client.write(Http2Peer.HEADERS, Http2Peer.END_HEADERS | Http2Peer.END_STREAM, stream[0], block(get()));
                client.write(Http2Peer.RST_STREAM, 0, stream[0], (byte) 0, (byte) 0, (byte) 0, (byte) 8);
                stream[0] += 2;
            });

            assertThat(goodbye(client)).isEqualTo(Http2Peer.ENHANCE_YOUR_CALM);
            assertThat(asked.heads()).hasSizeLessThan(MOST_RESETS);
        }
    }

    @Test
    void aFloodOfEmptyDataEndsTheConnection() throws Exception {
        try (var asked = new RawBackend(RawBackend.text("ok"));
                var own = new ProxyHarness(asked);
                Http2Peer client = Http2Peer.on(own.connect())) {
            client.sendBlock(1, false, block(get("content-length", "5")));
            flood(client, () -> client.write(Http2Peer.DATA, 0, 1));

            assertThat(goodbye(client)).isEqualTo(Http2Peer.ENHANCE_YOUR_CALM);
        }
    }

    static Stream<Arguments> owing() {
        return Stream.of(
                Arguments.of("pings", Http2Peer.PING, new byte[Long.BYTES]),
                Arguments.of("settings", Http2Peer.SETTINGS, new byte[0]));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("owing")
    void answersThatAreNotTakenEndTheConnection(String name, int type, byte[] payload) throws Exception {
        try (var own = new ProxyHarness();
                Http2Peer client = Http2Peer.on(own.connect())) {
            boolean ended = false;
            for (int i = 0; i < MANY && !ended; i++) {
                ended = !flood(client, () -> client.write(type, 0, 0, payload));
            }
            assertThat(ended).as(name).isTrue();
            await().until(() -> own.proxy.clients() == 0);
        }
    }

    private interface Step {
        void take() throws IOException;
    }

    /** Sends many frames; false if the proxy would take no more of them. */
    private static boolean flood(Http2Peer client, Step step) throws IOException {
        try {
            for (int i = 0; i < 1_000; i++) {
                step.take();
            }
            client.flush();
            return true;
        } catch (SocketException closed) {
            return false;
        }
    }

    private static int goodbye(Http2Peer client) throws IOException {
        return client.await(Http2Peer.GOAWAY, 0).errorCode();
    }
}
