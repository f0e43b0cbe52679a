// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static io.albm.distributor.proxy.RawClient.readResponse;
import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.distributor.backend.Backend;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections to backends that no request uses. */
@Timeout(60)
class UpstreamPoolTest {
    private static final int CONNECTIONS = 4;

    private static TestSettings patient() {
        return new TestSettings().backendIdleTimeout(Duration.ofMinutes(10));
    }

    @Test
    void noneIsKeptForABackendThatIsGone() throws Exception {
        try (var server = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(patient(), server)) {
            Backend gone = harness.directory.backends().getFirst();
            harness.proxy.retire(gone);
            for (int i = 0; i < CONNECTIONS; i++) {
                assertThat(harness.get("/").body()).isEqualTo("ok");
            }

            await().until(() -> server.openConnections() == 0);
            assertThat(gone.connections().idle()).isZero();
        }
    }

    @Test
    void eachThatIsToBeClosedIsAnotherOne() throws Exception {
        var held = new Semaphore(0);
        try (var server = new RawBackend(call -> {
                    held.acquireUninterruptibly();
                    RawBackend.text("ok").answer(call);
                });
                var harness = new ProxyHarness(patient(), server)) {
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(harness.connect());
                send(clients.getLast(), head("GET / HTTP/1.1", "Host: a"));
            }
            await().until(() -> server.openConnections() == CONNECTIONS);
            held.release(CONNECTIONS);
            for (Socket client : clients) {
                assertThat(readResponse(client)).endsWith("ok");
            }
            Backend backend = harness.directory.backends().getFirst();
            await().until(() -> backend.connections().idle() == CONNECTIONS);

            backend.connections().opening(1);
            backend.connections().opening(1);

            await().until(() -> server.openConnections() == CONNECTIONS - 2);
            assertThat(backend.connections().idle()).isEqualTo(CONNECTIONS - 2);
        }
    }
}
