// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.topology.FrontendMode;
import io.albm.core.topology.ProxyGreeting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The PROXY protocol, from a balancer in front and to a backend behind. */
@Timeout(30)
class ProxyProtocolTest {
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final TestSettings BEHIND_ANOTHER =
            new TestSettings().expectsProxyHeader().headTimeout(Duration.ofMillis(500));

    static List<byte[]> headers() {
        return List.of(ascii("PROXY TCP4 192.0.2.7 192.0.2.1 4711 80\r\n"), version2());
    }

    private static byte[] version2() {
        var out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a});
        out.writeBytes(new byte[] {0x21, 0x11, 0, 12, (byte) 192, 0, 2, 7, (byte) 192, 0, 2, 1, 0x12, 0x67, 0, 80});
        return out.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("headers")
    void theClientThatTheHeaderNamesIsTheClient(byte[] header) throws Exception {
        try (var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(BEHIND_ANOTHER, backend);
                Socket socket = harness.connect()) {
            for (int request = 0; request < 2; request++) {
                socket.getOutputStream().write(request == 0 ? joined(header, ascii(REQUEST)) : ascii(REQUEST));
                assertThat(RawBackend.readHead(socket.getInputStream())).startsWith("HTTP/1.1 200 OK\r\n");
                socket.getInputStream().skipNBytes(5);
            }

            assertThat(backend.heads()).hasSize(2).allMatch(head -> head.contains("X-Forwarded-For: 192.0.2.7\r\n"));
        }
    }

    @ParameterizedTest
    @MethodSource("headers")
    void theHeaderMayComeByteByByte(byte[] header) throws Exception {
        try (var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(BEHIND_ANOTHER, backend);
                Socket socket = harness.connect()) {
            for (byte b : joined(header, ascii(REQUEST))) {
                socket.getOutputStream().write(b);
            }

            assertThat(RawBackend.readHead(socket.getInputStream())).startsWith("HTTP/1.1 200 OK\r\n");
            assertThat(backend.heads()).singleElement().asString().contains("X-Forwarded-For: 192.0.2.7\r\n");
        }
    }

    /** None of them says where the client is; to ask for a name would hold up every client of the event loop. */
    static List<byte[]> elsewhere() {
        return Stream.of("/run/balancer.sock", "localhost", "192.0.2.7", "")
                .map(ProxyProtocolTest::unixSocket)
                .toList();
    }

    private static byte[] unixSocket(String path) {
        int longest = 108;
        var out = new ByteArrayOutputStream();
        out.writeBytes(Arrays.copyOf(version2(), 12));
        out.writeBytes(new byte[] {0x21, 0x31, 0, (byte) (2 * longest)});
        out.writeBytes(Arrays.copyOf(ascii(path), longest));
        out.writeBytes(Arrays.copyOf(ascii("/run/proxy.sock"), longest));
        return out.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("elsewhere")
    void aClientThatIsNamedWithoutAnAddressIsTheOtherEnd(byte[] header) throws Exception {
        try (var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(BEHIND_ANOTHER, backend);
                Socket socket = harness.connect()) {
            socket.getOutputStream().write(joined(header, ascii(REQUEST)));

            assertThat(RawBackend.readHead(socket.getInputStream())).startsWith("HTTP/1.1 200 OK\r\n");
            assertThat(backend.heads()).singleElement().asString().contains("X-Forwarded-For: 127.0.0.1\r\n");
        }
    }

    @Test
    void aZoneOfAnotherHostIsNoPartOfAnAddress() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(BEHIND_ANOTHER, backend);
                Socket socket = harness.connect()) {
            socket.getOutputStream().write(ascii("PROXY TCP6 fe80::7%nowhere0 fe80::1 4711 80\r\n" + REQUEST));

            assertThat(RawBackend.readHead(socket.getInputStream())).startsWith("HTTP/1.1 200 OK\r\n");
            assertThat(backend.heads()).singleElement().asString().contains("X-Forwarded-For: fe80:0:0:0:0:0:0:7\r\n");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V1", "V2"})
    void aClientThatIsNamedWithoutAnAddressGivesItsPlaceBack(ProxyGreeting greeting) throws Exception {
        try (var echo = echo();
                var harness = new ProxyHarness(tunnel(greeting))) {
            harness.expect(echo.address());

            assertThat(text(told(harness, elsewhere().getFirst()))).endsWith("ping");
            await().until(() -> harness.directory.backends().getFirst().inFlight() == 0);
            assertThat(harness.stats.inFlight()).isZero();
        }
    }

    private static TestSettings tunnel(ProxyGreeting greeting) {
        return new TestSettings().mode(FrontendMode.TCP).expectsProxyHeader().greeting(greeting);
    }

    private static SocketServer echo() throws IOException {
        return new SocketServer(socket -> socket.getInputStream().transferTo(socket.getOutputStream()));
    }

    /** All that a backend that echoes was told of a client with that header, who says ping. */
    private static byte[] told(ProxyHarness harness, byte[] header) throws IOException {
        try (Socket client = harness.connect()) {
            client.getOutputStream().write(joined(header, ascii("ping")));
            client.shutdownOutput();
            return client.getInputStream().readAllBytes();
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {REQUEST, "PROXY TCP4 nonsense\r\n" + REQUEST, "PROXY"})
    void aConnectionWithoutAWholeHeaderIsClosedUnheard(String text) throws Exception {
        try (var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(BEHIND_ANOTHER, backend);
                Socket socket = harness.connect()) {
            socket.getOutputStream().write(ascii(text));

            assertThat(endsUnanswered(socket)).isTrue();
            assertThat(backend.heads()).isEmpty();
        }
    }

    private static boolean endsUnanswered(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V1", "V2"})
    void aBackendIsToldBeforeTheFirstByte(ProxyGreeting greeting) throws Exception {
        try (var echo = echo();
                var harness = new ProxyHarness(tunnel(greeting))) {
            harness.expect(echo.address());

            byte[] told = told(harness, headers().getFirst());
            assertThat(text(told)).endsWith("ping");
            assertThat(told).startsWith(begin(greeting));
        }
    }

    private static byte[] begin(ProxyGreeting greeting) {
        return greeting == ProxyGreeting.V1
                ? ascii("PROXY TCP4 192.0.2.7 127.0.0.1 4711 ")
                : Arrays.copyOf(version2(), 20);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        var both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        return both.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
