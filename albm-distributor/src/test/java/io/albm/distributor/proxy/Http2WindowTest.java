// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client may send while no backend takes it: all streams together more than one of them, and no more than a bound. */
@Timeout(30)
class Http2WindowTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final TestSettings ONE_PLACE =
            new TestSettings().maxConnections(1).queue(100, LONG).responseTimeout(LONG);
    private static final int FRAME_BYTES = 16 << 10;
    private static final int STREAM_BYTES = 256 << 10;
    private static final int CONNECTION_BYTES = 4 << 20;
    private static final int INITIAL_BYTES = 65_535;
    private static final int STREAMS = CONNECTION_BYTES / STREAM_BYTES;

    private final CountDownLatch release = new CountDownLatch(1);
    private final RawBackend backend;
    private final ProxyHarness harness;
    private final Socket holder;

    Http2WindowTest() throws IOException {
        backend = new RawBackend(call -> {
            call.await(release);
            call.in().skipNBytes(Long.parseLong(call.header("Content-Length").orElse("0")));
            RawBackend.text("ok").answer(call);
        });
        harness = new ProxyHarness(ONE_PLACE, backend);
        holder = harness.connect();
    }

    @BeforeEach
    void holdTheOnlyPlace() throws Exception {
        RawClient.send(holder, RawClient.head("GET / HTTP/1.1", "Host: a"));
        await().until(() -> backend.heads().size() == 1);
    }

    @AfterEach
    void close() throws IOException {
        release.countDown();
        harness.close();
        backend.close();
    }

    @Test
    void theWindowOfTheConnectionFollowsTheSettings() throws Exception {
        try (Http2Peer client = Http2Peer.on(harness.connect())) {
            assertThat(client.next()).matches(frame -> frame.is(Http2Peer.SETTINGS, 0) && frame.flags() == 0);
            assertThat(INITIAL_BYTES + granted(client)).isEqualTo(CONNECTION_BYTES);
        }
    }

    @Test
    void streamsThatAreHeldUpTakeAWindowEachUntilTheConnectionHasNone() throws Exception {
        try (Http2Peer client = Http2Peer.on(harness.connect())) {
            fill(client);
            assertThat(granted(client)).isZero();

            begin(client, 2 * STREAMS + 1);
            client.sendData(2 * STREAMS + 1, false, "x");
            assertThat(client.await(Http2WindowTest::ends).errorCode()).isNotEqualTo(Http2Peer.NO_ERROR);
        }
    }

    @Test
    void whatABackendTakesMayBeSentAnew() throws Exception {
        try (Http2Peer client = Http2Peer.on(harness.connect())) {
            fill(client);
            release.countDown();
            for (int answered = 0; answered < STREAMS; answered++) {
                client.await(Http2Peer.Frame::endsStream);
            }

            fill(client, 2 * STREAMS + 1, STREAMS / 2);
            assertThat(client.await(Http2Peer.Frame::endsStream).type()).isEqualTo(Http2Peer.DATA);
        }
    }

    /** RFC 9113 (6.9.1) leaves open whether that is the end of the stream or of the connection. */
    private static boolean ends(Http2Peer.Frame frame) {
        return frame.type() == Http2Peer.RST_STREAM || frame.type() == Http2Peer.GOAWAY;
    }

    /** What the connection may carry more than it could, by all that the proxy says before it answers. */
    private static int granted(Http2Peer client) throws IOException {
        var sum = new AtomicInteger();
        client.send(Http2Peer.PING, 0, 0, new byte[Long.BYTES]);
        client.await(frame -> {
            sum.addAndGet(frame.is(Http2Peer.WINDOW_UPDATE, 0) ? frame.payload().getInt(0) : 0);
            return frame.is(Http2Peer.PING, 0);
        });
        return sum.get();
    }

    /** Fills the windows of as many streams as there are in that of the connection. */
    private static void fill(Http2Peer client) throws Exception {
        client.await(Http2Peer.SETTINGS, 0);
        client.send(Http2Peer.SETTINGS, Http2Peer.ACK, 0);
        granted(client);
        fill(client, 1, STREAMS);
    }

    private static void fill(Http2Peer client, int first, int streams) throws Exception {
        for (int stream = first; stream < first + 2 * streams; stream += 2) {
            begin(client, stream);
            for (int sent = FRAME_BYTES; sent <= STREAM_BYTES; sent += FRAME_BYTES) {
                client.sendData(stream, sent == STREAM_BYTES, "x".repeat(FRAME_BYTES));
            }
        }
    }

    private static void begin(Http2Peer client, int stream) throws Exception {
        client.sendHead(stream, false, Http2Peer.head("POST", "/").add("content-length", String.valueOf(STREAM_BYTES)));
    }
}
