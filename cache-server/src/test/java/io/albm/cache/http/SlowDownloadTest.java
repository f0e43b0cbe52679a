// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.net.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that takes little at a time, though more than the least, is served for as long as that takes. */
@Timeout(60)
class SlowDownloadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final HttpSettings SETTINGS =
            new HttpSettings(100, 4, 8192, Duration.ofSeconds(10), Duration.ofSeconds(60), PATIENCE, 1 << 10);
    private static final int SMALL_BUFFER = 64 << 10;
    private static final int SIZE = 16 << 20;

    @TempDir
    Path root;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isNotEndedWhileTheClientTakesLessThanMakesASocketWritable(boolean sendFiles) throws IOException {
        Files.write(root.resolve("big.bin"), new byte[SIZE]);
        try (var transport = Transport.open(1);
                var server = new DocumentServer(root, transport, SETTINGS, Duration.ofSeconds(1), sendFiles);
                var client = new Socket()) {
            client.setReceiveBufferSize(SMALL_BUFFER);
            client.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), server.http.address().port()));
            client.getOutputStream()
                    .write("GET /big.bin HTTP/1.0\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            int slowly = takeSlowly(client.getInputStream());

            assertThat(slowly + client.getInputStream().readAllBytes().length)
                    .as("head and body")
                    .isGreaterThan(SIZE);
        }
    }

    /** For several times {@link #PATIENCE} so little at a time that a socket's queue is not a third emptier within one. */
    private static int takeSlowly(InputStream from) {
        long began = System.nanoTime();
        int[] taken = new int[1];
        await().pollInterval(PATIENCE.dividedBy(10)).until(() -> {
            taken[0] += from.readNBytes(SMALL_BUFFER / 2).length;
            return System.nanoTime() - began > PATIENCE.multipliedBy(5).toNanos();
        });
        return taken[0];
    }
}
