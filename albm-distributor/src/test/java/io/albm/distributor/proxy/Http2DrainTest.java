// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.topology.Priority;
import io.albm.distributor.http.RouteTable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of HTTP/2 connections whose frontend has gone or moved. */
@Timeout(30)
class Http2DrainTest {
    private static final TestSettings SETTINGS = new TestSettings();

    private final Semaphore held = new Semaphore(0);
    private final RawBackend backend;

    Http2DrainTest() throws IOException {
        backend = new RawBackend(call -> {
            held.acquireUninterruptibly();
            RawBackend.text("late").answer(call);
        });
    }

    @AfterEach
    void close() {
        held.release(100);
        backend.close();
    }

    private static Frontend frontend(ProxyHarness harness) {
        var destination = new Destination(harness.pool, harness.directory, Priority.NORMAL);
        return new Frontend(new Frontend.Terms(SETTINGS.frontend(), null, new RouteTable<>(List.of(), destination)));
    }

    private static Http2Peer connect(ProxyHarness harness, Frontend frontend) throws IOException {
        int port =
                harness.proxy.listen(ProxyHarness.LOOPBACK, frontend).address().port();
        return Http2Peer.on(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    @Test
    void theirStreamsFinishBehindAGoodbyeAndThenTheyAreClosed() throws Exception {
        try (var harness = new ProxyHarness(new TestSettings().http2DrainTimeout(Duration.ofHours(1)), backend)) {
            Frontend moved = frontend(harness);
            try (Http2Peer client = connect(harness, moved)) {
                client.sendHead(1, true, Http2Peer.get("/"));
                await().until(() -> backend.heads().size() == 1);
                harness.proxy.drain(moved);
                client.await(Http2Peer.GOAWAY, 0);
                held.release();

                assertThat(client.await(Http2Peer.DATA, 1).text()).isEqualTo("late");
                assertThat(client.next()).isNull();
            }
            await().until(() -> harness.proxy.clients() == 0);
        }
    }

    @Test
    void theyAreClosedAfterTheDrainTimeoutWhateverIsStillOpen() throws Exception {
        try (var harness = new ProxyHarness(new TestSettings().http2DrainTimeout(Duration.ofMillis(200)), backend)) {
            Frontend moved = frontend(harness);
            try (Http2Peer client = connect(harness, moved)) {
                client.sendHead(1, true, Http2Peer.get("/"));
                await().until(() -> backend.heads().size() == 1);
                harness.proxy.drain(moved);
                client.await(Http2Peer.GOAWAY, 0);

                await().until(() -> client.next() == null);
            }
            await().until(() -> harness.directory.backends().getFirst().inFlight() == 0);
        }
    }

    @Test
    void theyAreClosedAtOnceWhenNoStreamIsOpen() throws Exception {
        try (var harness = new ProxyHarness(new TestSettings().http2DrainTimeout(Duration.ofHours(1)), backend)) {
            Frontend moved = frontend(harness);
            try (Http2Peer client = connect(harness, moved)) {
                await().until(() -> moved.connections() == 1);
                client.send(Http2Peer.PING, 0, 0, new byte[Long.BYTES]);
                client.await(Http2Peer.PING, 0);
                harness.proxy.drain(moved);

                client.await(Http2Peer.GOAWAY, 0);
                assertThat(client.next()).isNull();
            }
            await().until(() -> harness.proxy.clients() == 0);
        }
    }
}
