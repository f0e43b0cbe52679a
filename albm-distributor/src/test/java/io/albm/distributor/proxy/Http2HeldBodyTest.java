// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A request that waits for a backend, with some of its body here already, ends with its stream, and nothing of it stays. */
@Timeout(30)
class Http2HeldBodyTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final TestSettings ONE_PLACE =
            new TestSettings().maxConnections(1).queue(10, LONG).responseTimeout(LONG);

    interface End {
        void of(Http2Peer client, ProxyHarness harness) throws Exception;
    }

    static Stream<Arguments> ends() {
        return Stream.of(
                end("the client goes away", (client, harness) -> client.close()),
                end(
                        "the client resets the stream",
                        (client, harness) ->
                                client.send(Http2Peer.RST_STREAM, 0, 1, (byte) 0, (byte) 0, (byte) 0, (byte) 8)),
                end(
                        "the client breaks the rules of the stream",
                        (client, harness) -> client.sendData(1, true, "short")),
                end(
                        "the client breaks the rules of the connection",
                        (client, harness) -> client.send(Http2Peer.PING, 0, 1, new byte[Long.BYTES])
                                .await(Http2Peer.GOAWAY, 0)),
                end("the proxy is closed", (client, harness) -> harness.proxy.close()));
    }

    private static Arguments end(String name, End end) {
        return Arguments.of(name, end);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ends")
    void endsWithItsStream(String name, End end) throws Exception {
        long before = PooledByteBufAllocator.DEFAULT.pinnedDirectMemory();
        var release = new CountDownLatch(1);
        try (var backend = new RawBackend(call -> call.await(release));
                var harness = new ProxyHarness(ONE_PLACE, backend);
                var first = harness.connect();
                Http2Peer client = Http2Peer.on(harness.connect())) {
            RawClient.send(first, RawClient.head("GET / HTTP/1.1", "Host: a"));
            await().until(() -> backend.heads().size() == 1);
            client.sendHead(1, false, Http2Peer.head("POST", "/").add("content-length", "1000"));
            await().until(() -> harness.pool.waiting() == 1);
            client.sendData(1, false, "some").send(Http2Peer.PING, 0, 0, new byte[Long.BYTES]);
            client.await(Http2Peer.PING, 0);
            assertThat(harness.pool.waiting()).isOne();

            end.of(client, harness);

            await().until(() -> harness.pool.waiting() == 0);
            await().until(() -> PooledByteBufAllocator.DEFAULT.pinnedDirectMemory() <= before);
            release.countDown();
        }
    }
}
