// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.topology.ClearText;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that asks before it sends a body owes nothing until the backend has answered that. */
@Timeout(30)
class ExpectContinueTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMillis(800);
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n";
    private static final String HEAD = POST + "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n";

    @Test
    void aBackendThatSaysNothingIsTheOneThatFails() throws Exception {
        try (var backend = new RawBackend(call -> call.in().read());
                var harness =
                        new ProxyHarness(new TestSettings().idleTimeout(SHORT).responseTimeout(LONG), backend)) {
            assertThat(harness.talk(HEAD)).startsWith("HTTP/1.1 504 ");
        }
    }

    @Test
    void aBackendThatSaysNothingIsTheOneThatFailsOverHttp2() throws Exception {
        var settings =
                new TestSettings().clearText(ClearText.HTTP2).idleTimeout(SHORT).responseTimeout(LONG);
        try (var backend = new RawBackend(call -> call.in().read());
                var harness = new ProxyHarness(settings, backend);
                Http2Peer client = Http2Peer.on(harness.connect())) {
            client.sendHead(1, false, Http2Peer.head("POST", "/").set("expect", "100-continue"));

            assertThat(client.read(client.await(Http2Peer.HEADERS, 1))).contains(":status: 504");
        }
    }

    @Test
    void aClientThatIsToldToGoOnAndDoesNotIsTooSlow() throws Exception {
        try (var backend = new RawBackend(call -> {
                    call.reply("HTTP/1.1 100 Continue\r\n\r\n");
                    call.in().read();
                });
                var harness =
                        new ProxyHarness(new TestSettings().idleTimeout(LONG).responseTimeout(SHORT), backend)) {
            assertThat(harness.talk(HEAD)).contains("HTTP/1.1 408 ");
        }
    }

    @Test
    void aClientThatGoesOnUnaskedIsWaitedForAsAnyOther() throws Exception {
        try (var backend = new RawBackend(call -> {
                    String body = new String(call.in().readNBytes(5), StandardCharsets.US_ASCII);
                    RawBackend.text(body).answer(call);
                });
                var harness =
                        new ProxyHarness(new TestSettings().idleTimeout(LONG).responseTimeout(SHORT), backend);
                Socket client = harness.connect()) {
            send(client, HEAD + "12");
            LockSupport.parkNanos(SHORT.multipliedBy(2).toNanos());
            send(client, "345");

            assertThat(RawClient.readAll(client)).startsWith("HTTP/1.1 200 ").endsWith("12345");
        }
    }
}
