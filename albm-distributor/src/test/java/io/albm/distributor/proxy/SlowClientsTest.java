// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.node.NodeAddress;
import io.albm.core.tls.ServerCertificates;
import io.albm.core.tls.TestCertificates;
import io.albm.core.topology.FrontendMode;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two hundred clients that are as slow as can be: others are served meanwhile, and the slow ones are let go in time. Each is
 * tested by itself, since a test on a busy machine cannot promise that its own clients are quick.
 */
@Timeout(60)
class SlowClientsTest {
    private static final int SLOW = 200;
    private static final int STREAMS = 2;
    private static final int PLACES = 4;
    private static final byte[] NO_WINDOW = {0, 4, 0, 0, 0, 0};
    private static final byte[] LARGEST_WINDOW = {0, 4, 0x7f, -1, -1, -1};
    private static final byte[] BIG = new byte[8 << 20];
    private static final int SMALL_WINDOW = 4 << 10;
    private static final int OTHERS = 10;
    private static final Duration PATIENCE = Duration.ofMillis(400);
    private static final Duration ENDLESS = Duration.ofMinutes(10);
    private static final int LEAST_BYTES = 1 << 10;
    private static final String GET = head("GET / HTTP/1.1", "Host: a", "Connection: close");

    private static final SSLContext TLS = trusting();

    /** Each stream may hold two reads: one write mark's worth, and one more before it is stopped. */
    private static final long MOST_BYTES = SLOW * STREAMS * (512L << 10) + (64 << 20);

    /** Of a frame of 10 000 bytes on stream 1: what drips after it is its content, and no head of a frame that is too large. */
    private static final String HEAD_OF_DATA = "\000\047\020\000\000\000\000\000\001";

    private final ServerCertificates certificates;
    private final ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor();
    private final List<Socket> slow = new ArrayList<>();

    SlowClientsTest(@TempDir Path directory) throws Exception {
        TestCertificates.write(directory, "a", "localhost");
        certificates = ServerCertificates.load(directory, List.of("h2", "http/1.1"));
    }

    interface Begin {
        void on(Socket socket) throws Exception;
    }

    /** What a slow client begins with; it goes on with a byte now and then, or not at all, and reads nothing. */
    static Stream<Arguments> kinds() {
        return Stream.of(
                kind("says nothing", socket -> {}),
                kind("drips a head", socket -> say(socket, "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ")),
                kind("drips a body", SlowClientsTest::beginBody),
                kind(
                        "drips a chunk",
                        socket -> say(
                                socket, head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked") + "fff\r\n")),
                kind("takes no answer", socket -> say(socket, head("GET /big HTTP/1.1", "Host: a"))),
                kind(
                        "takes no last answer",
                        socket -> say(socket, head("GET /big HTTP/1.1", "Host: a", "Connection: close"))),
                kind(
                        "asks and asks",
                        socket ->
                                say(socket, head("GET /big HTTP/1.1", "Host: a").repeat(20))),
                kind(
                        "is silent in a tunnel",
                        socket -> say(
                                socket, head("GET /chat HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: echo"))),
                kind("begins HTTP/2", socket -> say(socket, "PRI * HTTP/2.0\r\n\r\nSM")),
                kind("says nothing in HTTP/2", Http2Peer::on),
                kind("drips a body in HTTP/2", socket -> {
                    Http2Peer.on(socket)
                            .sendHead(1, false, Http2Peer.head("POST", "/").set("content-length", "1000000"))
                            .send(Http2Peer.DATA, 0, 1, new byte[1]);
                    say(socket, HEAD_OF_DATA);
                }),
                kind("gives no window", socket -> ask(Http2Peer.on(socket).send(Http2Peer.SETTINGS, 0, 0, NO_WINDOW))),
                kind(
                        "takes nothing in HTTP/2",
                        socket -> ask(Http2Peer.on(socket)
                                .send(Http2Peer.SETTINGS, 0, 0, LARGEST_WINDOW)
                                .send(Http2Peer.WINDOW_UPDATE, 0, 0, (byte) 0x7f, (byte) 0, (byte) 0, (byte) 0))));
    }

    private static Arguments kind(String name, Begin begin) {
        return Arguments.of(name, begin);
    }

    private static void beginBody(Socket socket) throws IOException {
        say(socket, head("POST / HTTP/1.1", "Host: a", "Content-Length: 1000000"));
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void ask(Http2Peer client) throws Exception {
        for (int i = 0; i < STREAMS; i++) {
            client.sendHead(2 * i + 1, true, Http2Peer.get("/big"));
        }
    }

    @AfterEach
    void closeAll() throws IOException {
        drip.shutdownNow();
        for (Socket socket : slow) {
            socket.close();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void keepNobodyOutOfHttp(String kind, Begin begin) throws Exception {
        try (var backend = new RawBackend(SlowClientsTest::serve);
                var harness = new ProxyHarness(patient(), backend)) {
            long memory = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
            open(SLOW, harness.address, begin);
            dripIf(kind);

            othersAreServed(harness, SLOW, () -> {
                assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - memory)
                        .isLessThan(MOST_BYTES);
                return harness.talk(GET);
            });
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void areLetGoByHttp(String kind, Begin begin) throws Exception {
        try (var backend = new RawBackend(SlowClientsTest::serve);
                var harness = new ProxyHarness(impatient(), backend)) {
            open(SLOW, harness.address, orBeLetGo(begin));
            dripIf(kind);

            allAreLetGo(harness);
            await().until(() -> harness.directory.backends().getFirst().inFlight() == 0);
        }
    }

    @Test
    void keepNobodyOutOfTls() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(patient(), backend)) {
            NodeAddress secure = harness.listen(certificates);
            openSecure(secure, begin -> begin);

            othersAreServed(harness, 3 * SLOW, () -> {
                try (Socket socket = TLS.getSocketFactory().createSocket(secure.host(), secure.port())) {
                    say(socket, GET);
                    return RawClient.readAll(socket);
                }
            });
        }
    }

    @Test
    void areLetGoByTls() throws Exception {
        try (var harness = new ProxyHarness(impatient())) {
            openSecure(harness.listen(certificates), SlowClientsTest::orBeLetGo);

            allAreLetGo(harness);
        }
    }

    /** With half of a first message, with that alone, and with all but a request. */
    private void openSecure(NodeAddress secure, UnaryOperator<Begin> each) throws Exception {
        byte[] hello = clientHello();
        open(SLOW, secure, each.apply(socket -> socket.getOutputStream().write(hello, 0, hello.length / 2)));
        open(SLOW, secure, each.apply(socket -> socket.getOutputStream().write(hello)));
        open(SLOW, secure, each.apply(SlowClientsTest::shakeHands));
    }

    private static void shakeHands(Socket socket) throws IOException {
        ((SSLSocket) TLS.getSocketFactory().createSocket(socket, "localhost", socket.getPort(), true)).startHandshake();
    }

    @Test
    void keepNobodyOutBeforeTheyNameTheirClient() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(patient().expectsProxyHeader(), backend)) {
            open(SLOW, harness.address, SlowClientsTest::beginToNameTheClient);
            drip();

            othersAreServed(harness, SLOW, () -> harness.talk("PROXY TCP4 192.0.2.7 192.0.2.1 4711 80\r\n" + GET));
        }
    }

    @Test
    void areLetGoBeforeTheyNameTheirClient() throws Exception {
        try (var harness = new ProxyHarness(impatient().expectsProxyHeader())) {
            open(SLOW, harness.address, orBeLetGo(SlowClientsTest::beginToNameTheClient));
            drip();

            allAreLetGo(harness);
        }
    }

    private static void beginToNameTheClient(Socket socket) throws IOException {
        say(socket, "PROXY TCP4 192.0.2.7");
    }

    @Test
    void keepNobodyOutOfTcp() throws Exception {
        try (var backend = new RawBackend(SlowClientsTest::serveOnce);
                var harness = new ProxyHarness(patient().mode(FrontendMode.TCP), backend)) {
            open(SLOW, harness.address, SlowClientsTest::sendOne);

            othersAreServed(harness, SLOW, () -> harness.talk(GET));
        }
    }

    @Test
    void areLetGoByTcp() throws Exception {
        try (var backend = new RawBackend(SlowClientsTest::serveOnce);
                var harness = new ProxyHarness(impatient().mode(FrontendMode.TCP), backend)) {
            open(SLOW, harness.address, SlowClientsTest::sendOne);

            allAreLetGo(harness);
        }
    }

    private static void serveOnce(RawBackend.Call call) throws IOException {
        RawBackend.text("ok").answer(call);
        call.socket().close();
    }

    /** While all of the slow ones are there. */
    private static void othersAreServed(ProxyHarness harness, int slowOnes, Callable<String> ask) throws Exception {
        await().until(() -> harness.proxy.clients() == slowOnes);
        for (int i = 0; i < OTHERS; i++) {
            assertThat(ask.call()).startsWith("HTTP/1.1 200 ").endsWith("ok");
        }
        assertThat(harness.proxy.clients()).isGreaterThanOrEqualTo(slowOnes);
    }

    private static void allAreLetGo(ProxyHarness harness) {
        await().forever().until(() -> harness.proxy.clients() == 0);
    }

    /** Who is slow may be let go before it has said all that it wanted to. */
    private static Begin orBeLetGo(Begin begin) {
        return socket -> {
            try {
                begin.on(socket);
            } catch (IOException e) {
                // It was let go.
            }
        };
    }

    @Test
    void loseTheirBackendToThoseWhoWaitForOne() throws Exception {
        var settings = new TestSettings().maxConnections(PLACES).queue(100, Duration.ofSeconds(1));
        try (var backend = new RawBackend(SlowClientsTest::serve);
                var harness = new ProxyHarness(settings, backend)) {
            open(PLACES - 1, harness.address, SlowClientsTest::beginBody);
            open(1, harness.address, socket -> say(socket, head("GET /big HTTP/1.1", "Host: a")));
            await().until(() -> harness.directory.backends().getFirst().inFlight() == PLACES);

            for (int i = 0; i < PLACES; i++) {
                await().until(() -> harness.talk(GET).startsWith("HTTP/1.1 200 "));
            }
        }
    }

    @Test
    void makeRoomForNewOnesAtTheLimitOfConnections() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(patient().maxClients(SLOW), backend)) {
            open(SLOW, harness.address, socket -> say(socket, "GET / HTTP/1.1\r\n"));
            await().until(() -> harness.proxy.clients() == SLOW);

            for (int i = 0; i < SLOW; i++) {
                assertThat(harness.talk(GET)).startsWith("HTTP/1.1 200 ");
            }
            assertThat(harness.stats.count(ProxyStats.Event.EVICTED_CLIENT)).isPositive();
            assertThat(harness.stats.count(ProxyStats.Event.REFUSED_CLIENT)).isZero();
        }
    }

    private static TestSettings impatient() {
        return waiting(PATIENCE).maxConnections(2 * SLOW);
    }

    private static TestSettings patient() {
        return waiting(ENDLESS).maxConnections(2 * SLOW * STREAMS);
    }

    private static TestSettings waiting(Duration patience) {
        return new TestSettings()
                .headTimeout(patience)
                .idleTimeout(patience)
                .minProgressBytes(LEAST_BYTES)
                .tunnelTimeout(patience);
    }

    private void open(int count, NodeAddress address, Begin begin) throws Exception {
        for (int i = 0; i < count; i++) {
            var socket = new Socket();
            socket.setReceiveBufferSize(SMALL_WINDOW);
            slow.add(socket);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), address.port()));
            begin.on(socket);
        }
    }

    private void dripIf(String kind) {
        if (kind.startsWith("drips")) {
            drip();
        }
    }

    /** A byte on each connection now and then. */
    private void drip() {
        drip.scheduleAtFixedRate(() -> slow.forEach(SlowClientsTest::sendOne), 50, 50, TimeUnit.MILLISECONDS);
    }

    private static void sendOne(Socket socket) {
        try {
            socket.getOutputStream().write('a');
        } catch (IOException e) {
            // It was let go.
        }
    }

    private static void serve(RawBackend.Call call) throws IOException {
        switch (call.target()) {
            case "/big" -> {
                call.reply(head("HTTP/1.1 200 OK", "Content-Length: " + BIG.length));
                call.reply(BIG);
            }
            case "/chat" -> {
                call.reply(head("HTTP/1.1 101 Switching Protocols", "Connection: Upgrade", "Upgrade: echo"));
                call.in().transferTo(call.out());
            }
            default -> {
                if (call.head().startsWith("POST")) {
                    call.in().skipNBytes(Long.MAX_VALUE);
                }
                RawBackend.text("ok").answer(call);
            }
        }
    }

    private static byte[] clientHello() throws Exception {
        var engine = TLS.createSSLEngine("localhost", 1);
        engine.setUseClientMode(true);
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), out);
        byte[] hello = new byte[out.flip().remaining()];
        out.get(hello);
        return hello;
    }

    private static SSLContext trusting() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
