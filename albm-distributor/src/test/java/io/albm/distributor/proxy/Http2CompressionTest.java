// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How far a client may say what header compression is to remember. */
@Timeout(30)
class Http2CompressionTest {
    private static final short HEADER_TABLE_SIZE = 1;

    /** The peer's decoder has the table of RFC 7541's default size, and takes no block that announces a larger one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 100, 4 << 10, 1 << 20, -1})
    void aTableIsNeverLargerThanTheDefaultWhateverTheClientAllows(int allowedBytes) throws Exception {
        try (var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(backend);
                Http2Peer client = Http2Peer.on(harness.connect())) {
            client.send(Http2Peer.SETTINGS, 0, 0, setting(HEADER_TABLE_SIZE, allowedBytes));

            for (int stream = 1; stream < 5; stream += 2) {
                client.sendHead(stream, true, Http2Peer.get("/"));
                assertThat(client.read(client.await(Http2Peer.HEADERS, stream))).contains(":status: 200");
            }
        }
    }

    private static byte[] setting(short name, int value) {
        return ByteBuffer.allocate(Short.BYTES + Integer.BYTES)
                .putShort(name)
                .putInt(value)
                .array();
    }
}
