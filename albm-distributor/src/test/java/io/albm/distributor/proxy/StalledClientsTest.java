// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.node.NodeAddress;
import io.albm.core.topology.FrontendMode;
import io.albm.core.topology.Priority;
import io.albm.distributor.http.RouteTable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who loses a place to those who wait for one, and who keeps it. */
@Timeout(60)
class StalledClientsTest {
    private static final String GET = head("GET / HTTP/1.1", "Host: a", "Connection: close");
    private static final String POST = head("POST / HTTP/1.1", "Host: a", "Content-Length: 4");
    private static final byte[] BIG = new byte[8 << 20];
    private static final int SMALL_WINDOW = 4 << 10;

    private final ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor();
    private final Semaphore held = new Semaphore(0);
    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        drip.shutdownNow();
        held.release(100);
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void serve(RawBackend.Call call) throws IOException {
        if (call.head().startsWith("POST")) {
            call.in().skipNBytes(4);
        } else if (call.target().equals("/held")) {
            held.acquireUninterruptibly();
        }
        RawBackend.text("ok").answer(call);
    }

    private static TestSettings onePlace(Duration queueTimeout) {
        return new TestSettings().maxConnections(1).queue(100, queueTimeout).tunnelTimeout(Duration.ofSeconds(60));
    }

    /** One more address of that proxy, for the pool of that harness. */
    private static NodeAddress listen(ProxyHarness at, TestSettings settings, ProxyHarness pool) throws IOException {
        var destination = new Destination(pool.pool, pool.directory, Priority.NORMAL);
        var terms = new Frontend.Terms(settings.frontend(), null, new RouteTable<>(List.of(), destination));
        return at.proxy.listen(ProxyHarness.LOOPBACK, new Frontend(terms)).address();
    }

    private Socket connect(NodeAddress address) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(SMALL_WINDOW);
        socket.setSoTimeout(10_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), address.port()));
        sockets.add(socket);
        return socket;
    }

    private static void awaitPlaces(ProxyHarness harness, int taken) {
        await().until(() -> harness.directory.backends().getFirst().inFlight() == taken);
    }

    @Test
    void makeRoomForOneWhoCameToAnotherLoopBeforeTheyHadStalledForLong() throws Exception {
        try (var backend = new RawBackend(this::serve);
                var harness = new ProxyHarness(onePlace(Duration.ofSeconds(2)), backend)) {
            for (int i = 0; i < 2; i++) {
                send(connect(harness.address), POST);
                awaitPlaces(harness, 1);
                assertThat(harness.talk(GET)).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void areNoMoreThanThoseWhoWait() throws Exception {
        int many = 16;
        TestSettings settings = onePlace(Duration.ofSeconds(2)).maxConnections(many);
        try (var backend = new RawBackend(this::serve);
                var harness = new ProxyHarness(settings, backend)) {
            for (int i = 0; i < many; i++) {
                send(connect(harness.address), POST);
            }
            awaitPlaces(harness, many);
            assertThat(harness.talk(GET)).startsWith("HTTP/1.1 200 ");

            List<String> answers = new ArrayList<>();
            for (Socket socket : sockets) {
                send(socket, "body");
                answers.add(RawClient.readResponse(socket));
            }
            assertThat(answers)
                    .filteredOn(answer -> answer.startsWith("HTTP/1.1 408 "))
                    .hasSize(1);
            assertThat(answers)
                    .filteredOn(answer -> answer.startsWith("HTTP/1.1 200 "))
                    .hasSize(many - 1);
        }
    }

    @Test
    void ofAnotherPoolKeepTheirPlaces() throws Exception {
        TestSettings settings = onePlace(Duration.ofMillis(300)).maxConnections(2);
        try (var backend = new RawBackend(this::serve);
                var harness = new ProxyHarness(settings, backend);
                var otherBackend = new RawBackend(this::serve);
                var other = new ProxyHarness(settings, otherBackend)) {
            NodeAddress address = listen(harness, settings, other);
            List<Socket> stalled = List.of(connect(address), connect(address));
            for (Socket socket : stalled) {
                send(socket, POST);
                send(connect(harness.address), head("GET /held HTTP/1.1", "Host: a"));
            }
            awaitPlaces(other, 2);
            awaitPlaces(harness, 2);

            for (int i = 0; i < 4; i++) {
                assertThat(harness.talk(GET)).startsWith("HTTP/1.1 503 ");
            }
            for (Socket socket : stalled) {
                send(socket, "body");
                assertThat(RawClient.readResponse(socket)).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void makeRoomForAClientOfTcp() throws Exception {
        TestSettings settings = onePlace(Duration.ofSeconds(2));
        try (var backend = new RawBackend(this::serve);
                var harness = new ProxyHarness(settings, backend)) {
            send(connect(harness.address), POST);
            awaitPlaces(harness, 1);
            Socket client =
                    connect(listen(harness, onePlace(Duration.ofSeconds(2)).mode(FrontendMode.TCP), harness));
            send(client, GET);

            assertThat(RawClient.readResponse(client)).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void makeRoomWhenTheyTakeNothingOutOfATunnel() throws Exception {
        try (var server = new SocketServer(socket -> socket.getOutputStream().write(BIG));
                var harness = new ProxyHarness(onePlace(Duration.ofSeconds(2)).mode(FrontendMode.TCP))) {
            harness.expect(server.address());
            connect(harness.address);
            awaitPlaces(harness, 1);

            assertThat(connect(harness.address).getInputStream().readNBytes(BIG.length))
                    .hasSize(BIG.length);
        }
    }

    @Test
    void areNotThoseWhoseTunnelIsSilent() throws Exception {
        try (var server = new SocketServer(socket -> socket.getInputStream().transferTo(socket.getOutputStream()));
                var harness = new ProxyHarness(onePlace(Duration.ofMillis(300)).mode(FrontendMode.TCP))) {
            harness.expect(server.address());
            Socket silent = connect(harness.address);
            awaitPlaces(harness, 1);
            assertThat(connect(harness.address).getInputStream().read()).isEqualTo(-1);

            silent.getOutputStream().write('x');
            assertThat(silent.getInputStream().read()).isEqualTo('x');
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {120 << 10, 400 << 10})
    void areNotThoseWhoseHttp2StreamMovesSlowly(int size) throws Exception {
        String head = head("HTTP/1.1 200 OK", "Content-Length: " + size);
        try (var backend = new RawBackend(call -> {
                    call.reply(head);
                    call.reply(new byte[size]);
                });
                var harness = new ProxyHarness(slowly(), backend);
                Http2Peer client = giving(2 << 10, harness)) {
            long[] received = {0};
            client.await(frame -> {
                assertThat(frame.type()).isNotEqualTo(Http2Peer.RST_STREAM);
                received[0] += frame.is(Http2Peer.DATA, 1) ? frame.payload().readableBytes() : 0;
                return frame.endsStream();
            });

            assertThat(received[0]).isEqualTo(size);
        }
    }

    @Test
    void areThoseWhoseHttp2StreamGetsAByteNowAndThen() throws Exception {
        try (var backend = new RawBackend(call -> {
                    call.reply(head("HTTP/1.1 200 OK", "Content-Length: " + BIG.length));
                    call.reply(BIG);
                });
                var harness = new ProxyHarness(slowly(), backend);
                Http2Peer client = giving(1, harness)) {
            assertThat(client.await(Http2Peer.RST_STREAM, 1).errorCode()).isNotZero();
            awaitPlaces(harness, 0);
        }
    }

    private static TestSettings slowly() {
        return new TestSettings().idleTimeout(Duration.ofMillis(300)).minProgressBytes(1 << 10);
    }

    /** A client that has asked for something and gives the stream that much window every 20 ms. */
    private Http2Peer giving(int bytes, ProxyHarness harness) throws Exception {
        Http2Peer client = Http2Peer.on(harness.connect())
                .send(Http2Peer.WINDOW_UPDATE, 0, 0, (byte) 0x7f, (byte) 0, (byte) 0, (byte) 0)
                .sendHead(1, true, Http2Peer.get("/"));
        byte[] window = ByteBuffer.allocate(Integer.BYTES).putInt(bytes).array();
        var _ = drip.scheduleAtFixedRate(() -> give(client, window), 20, 20, TimeUnit.MILLISECONDS);
        return client;
    }

    private static void give(Http2Peer client, byte[] window) {
        try {
            client.send(Http2Peer.WINDOW_UPDATE, 0, 1, window);
        } catch (IOException e) {
            // It was let go.
        }
    }
}
