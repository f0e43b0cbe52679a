// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.Http2Peer.block;
import static io.albm.distributor.proxy.Http2Peer.getLines;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames that cost a client less than they cost the proxy end the connection when there are many. */
@Timeout(30)
class Http2FloodTest extends SmugglingHarness {
    private static final int MANY = 2_000;
    private static final int MOST_RESETS = 250;

    @Test
    void aFloodOfContinuationsEndsTheConnection() throws Exception {
        try (Http2Peer client = Http2Peer.on(harness.connect())) {
            client.send(Http2Peer.HEADERS, Http2Peer.END_STREAM, 1, block(getLines()));
            flood(client, () -> client.write(Http2Peer.CONTINUATION, 0, 1));

            assertThat(goodbye(client)).isEqualTo(Http2Peer.ENHANCE_YOUR_CALM);
            assertThat(backend.heads()).isEmpty();
        }
    }

    @Test
    void aFloodOfResetsEndsTheConnectionAndReachesNoMoreThanSomeOfTheBackends() throws Exception {
        try (var asked = new RawBackend(RawBackend.text("ok"));
                var own = new ProxyHarness(asked);
                Http2Peer client = Http2Peer.on(own.connect())) {
            var stream = new int[] {1};
            flood(client, () -> {
                client.write(
                        Http2Peer.HEADERS, Http2Peer.END_HEADERS | Http2Peer.END_STREAM, stream[0], block(getLines()));
                client.write(Http2Peer.RST_STREAM, 0, stream[0], (byte) 0, (byte) 0, (byte) 0, (byte) 8);
                stream[0] += 2;
            });

            assertThat(goodbye(client)).isEqualTo(Http2Peer.ENHANCE_YOUR_CALM);
            assertThat(asked.heads()).hasSizeLessThan(MOST_RESETS);
        }
    }

    @Test
    void aFloodOfEmptyDataEndsTheConnection() throws Exception {
        try (var asked = new RawBackend(RawBackend.text("ok"));
                var own = new ProxyHarness(asked);
                Http2Peer client = Http2Peer.on(own.connect())) {
            client.sendBlock(1, false, block(getLines("content-length", "5")));
            flood(client, () -> client.write(Http2Peer.DATA, 0, 1));

            assertThat(goodbye(client)).isEqualTo(Http2Peer.ENHANCE_YOUR_CALM);
        }
    }

    static Stream<Arguments> owing() {
        return Stream.of(
                Arguments.of("pings", Http2Peer.PING, new byte[Long.BYTES]),
                Arguments.of("settings", Http2Peer.SETTINGS, new byte[0]));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("owing")
    void answersThatAreNotTakenEndTheConnection(String name, int type, byte[] payload) throws Exception {
        try (var own = new ProxyHarness();
                Http2Peer client = Http2Peer.on(own.connect())) {
            boolean ended = false;
            for (int i = 0; i < MANY && !ended; i++) {
                ended = !flood(client, () -> client.write(type, 0, 0, payload));
            }
            assertThat(ended).as(name).isTrue();
            await().until(() -> own.proxy.clients() == 0);
        }
    }

    private interface Step {
        void take() throws IOException;
    }

    /** Sends many frames; false if the proxy would take no more of them. */
    private static boolean flood(Http2Peer client, Step step) throws IOException {
        try {
            for (int i = 0; i < 1_000; i++) {
                step.take();
            }
            client.flush();
            return true;
        } catch (SocketException closed) {
            return false;
        }
    }

    private static int goodbye(Http2Peer client) throws IOException {
        return client.await(Http2Peer.GOAWAY, 0).errorCode();
    }
}
