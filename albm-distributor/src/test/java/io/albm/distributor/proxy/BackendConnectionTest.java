// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections to backends have time limits for their beginning and for being idle. */
class BackendConnectionTest {
    /** Listens, but answers no attempt to connect: the queue of those that wait to be accepted is full. */
    private static final class Deaf implements AutoCloseable {
        private static final int MORE_THAN_ANY_QUEUE = 64;
        private static final int PATIENCE_MILLIS = 100;

        private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final List<Socket> waiting = new ArrayList<>();

        Deaf() throws IOException {
            boolean full = false;
            for (int i = 0; i < MORE_THAN_ANY_QUEUE && !full; i++) {
                full = !connects();
            }
            assertThat(full).isTrue();
        }

        private boolean connects() throws IOException {
            var socket = new Socket();
            waiting.add(socket);
            try {
                socket.connect(
                        new InetSocketAddress(listening.getInetAddress(), listening.getLocalPort()), PATIENCE_MILLIS);
                return true;
            } catch (SocketTimeoutException e) {
                return false;
            }
        }

        NodeAddress address() {
            return new NodeAddress("127.0.0.1", listening.getLocalPort());
        }

        @Override
        public void close() throws IOException {
            listening.close();
            for (Socket socket : waiting) {
                socket.close();
            }
        }
    }

    @Test
    void anotherBackendTakesTheRequestWhenOneDoesNotConnectInTime() throws Exception {
        try (var deaf = new Deaf();
                var live = new RawBackend(RawBackend.text("live"));
                var harness = new ProxyHarness()) {
            harness.expect(deaf.address(), live.address());
            for (int i = 0; i < 2; i++) {
                assertThat(harness.get("/").body()).isEqualTo("live");
            }
            assertThat(harness.stats.count(ProxyStats.Event.CONNECT_FAILURE)).isPositive();
        }
    }

    @Test
    void anIdleConnectionIsClosedAfterItsTime() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness =
                        new ProxyHarness(new TestSettings().backendIdleTimeout(Duration.ofMillis(100)), backend)) {
            assertThat(harness.get("/").body()).isEqualTo("ok");
            assertThat(backend.heads()).hasSize(1);
            await().until(() -> backend.openConnections() == 0);
        }
    }
}
