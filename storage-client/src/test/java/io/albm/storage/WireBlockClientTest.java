// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.wire.FrameClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class WireBlockClientTest {
    private static final NodeId NODE = new NodeId("n-1");
    private static final BlockId BLOCK = new BlockId(new Generation(1, 2), 3, 0);
    private static final int FRAME_BYTES = 28;

    /** What a repair would write anew is a good block. */
    @Test
    void bytesThatWereChangedOnTheirWaySayNothingOfTheBlock() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Transport transport = Transport.open(1);
                FrameClient frames = new FrameClient(transport)) {
            Thread answering = Thread.ofVirtual().start(() -> answerWithAWrongChecksum(server));
            WireBlockClient client = new WireBlockClient(
                    frames,
                    node -> Optional.of(new NodeAddress("127.0.0.1", server.getLocalPort())),
                    Duration.ofSeconds(30));
            Throwable failure = StorageException.unwrap(
                    catchThrowable(() -> client.verify(NODE, BLOCK).join()));
            assertThat(failure)
                    .isInstanceOf(StorageException.NodeUnreachable.class)
                    .hasMessageContaining("checksum");
            answering.join();
        }
    }

    private static void answerWithAWrongChecksum(ServerSocket server) {
        try (Socket client = server.accept()) {
            InputStream in = client.getInputStream();
            ByteBuffer request = ByteBuffer.wrap(in.readNBytes(FRAME_BYTES));
            ByteBuffer answer = ByteBuffer.allocate(FRAME_BYTES)
                    .putInt(FRAME_BYTES - Integer.BYTES)
                    .putInt((request.getInt(4) & ~0xFF) | StorageReply.Found.TYPE)
                    .putLong(request.getLong(8));
            client.getOutputStream().write(answer.array());
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
