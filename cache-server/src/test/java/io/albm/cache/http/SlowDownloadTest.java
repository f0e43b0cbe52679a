// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.net.SlowTaker;
import io.albm.core.net.Transport;
import java.io.IOException;
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
    private static final int SIZE = 16 << 20;

    @TempDir
    Path root;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isNotEndedWhileTheClientTakesLessThanMakesASocketWritable(boolean sendFiles) throws IOException {
        Files.write(root.resolve("big.bin"), new byte[SIZE]);
        try (var transport = Transport.open(1);
                var server = new DocumentServer(root, transport, SETTINGS, Duration.ofSeconds(1), sendFiles);
                Socket client = SlowTaker.connect(server.http.address())) {
            client.getOutputStream()
                    .write("GET /big.bin HTTP/1.0\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            int slowly = SlowTaker.take(client.getInputStream(), PATIENCE);

            assertThat(slowly + client.getInputStream().readAllBytes().length)
                    .as("head and body")
                    .isGreaterThan(SIZE);
        }
    }
}
