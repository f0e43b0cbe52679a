// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A client that is slow to take what others wait for. */
class SlowLeaderTest extends OriginHarness {

    /** More than the sockets on the way to a client hold, and less than the largest response that is kept. */
    private static final String BODY = IntStream.range(0, 56)
            .mapToObj(i -> String.valueOf((char) ('!' + i)).repeat(1 << 16))
            .collect(Collectors.joining());

    @Override
    long capacity() {
        return 160 << 20;
    }

    @Test
    void holdsUpNobodyWhoWaitsForTheSameResponseOfUnknownLength() throws Exception {
        CountDownLatch joined = new CountDownLatch(1);
        origin.answer((request, to) -> {
            joined.await();
            ScriptedOrigin.write(
                    to, "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n");
            ScriptedOrigin.write(to, Integer.toHexString(BODY.length()) + "\r\n" + BODY + "\r\n0\r\n\r\n");
        });
        try (Socket slow = new Socket()) {
            slow.setReceiveBufferSize(4 << 10);
            slow.setSoTimeout(10_000);
            slow.connect(new InetSocketAddress(
                    server.address().host(), server.address().port()));
            slow.getOutputStream()
                    .write(("GET /a HTTP/1.0\r\nHost: " + server.address() + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            await().until(() -> cache.stats().misses() == 1);
            CompletableFuture<HttpResponse<String>> other = getLater("/a");
            await().until(() -> cache.stats().coalesced() == 1);
            joined.countDown();

            assertThat(other.get().body().equals(BODY)).isTrue();
            String taken = new String(slow.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(taken.endsWith("\r\n\r\n" + BODY)).isTrue();
        }
        await().until(() -> cache.memory().transit() == 0);
    }
}
