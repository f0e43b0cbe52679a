// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static io.albm.distributor.proxy.RawClient.readResponse;
import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which quiet connections make room for new ones at the limit, and when there is room. */
@Timeout(60)
class EvictionTest {
    private static final String GET = head("GET / HTTP/1.1", "Host: a");

    private static TestSettings oneForEachLoop() {
        return new TestSettings().maxClients(2).idleTimeout(Duration.ofMinutes(1));
    }

    @Test
    void aConnectionOfHttp2IsGoneBeforeAnotherOneComes() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(oneForEachLoop(), backend);
                Http2Peer one = quiet(harness);
                Http2Peer other = quiet(harness)) {
            Socket client = harness.connect();
            send(client, GET);

            assertThat(readResponse(client)).startsWith("HTTP/1.1 200 ");
            assertThat(harness.proxy.clients()).isEqualTo(2);
            send(harness.connect(), GET);
            one.await(Http2Peer.GOAWAY, 0);
            other.await(Http2Peer.GOAWAY, 0);
            assertThat(List.of(one.next() == null, other.next() == null)).containsOnly(true);
        }
    }

    private static Http2Peer quiet(ProxyHarness harness) throws IOException {
        Http2Peer peer = Http2Peer.on(harness.connect()).send(Http2Peer.PING, 0, 0, new byte[Long.BYTES]);
        peer.await(Http2Peer.PING, 0);
        return peer;
    }
}
