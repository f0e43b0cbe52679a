// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.topology.FrontendMode;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that takes little at a time is served for as long as that takes. */
@Timeout(60)
class SlowDownloadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int SMALL_BUFFER = 64 << 10;
    private static final byte[] BIG = new byte[16 << 20];

    @ParameterizedTest
    @EnumSource(names = {"HTTP", "TCP"})
    void isNotEndedWhileTheClientTakesLessThanMakesASocketWritable(FrontendMode mode) throws Exception {
        var settings =
                new TestSettings().idleTimeout(PATIENCE).tunnelTimeout(PATIENCE).mode(mode);
        try (var backend = new RawBackend(call -> {
                    call.reply(head("HTTP/1.1 200 OK", "Content-Length: " + BIG.length));
                    call.reply(BIG);
                });
                var harness = new ProxyHarness(settings, backend);
                var client = new Socket()) {
            client.setReceiveBufferSize(SMALL_BUFFER);
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), harness.address.port()));
            send(client, head("GET / HTTP/1.1", "Host: a"));
            RawBackend.readHead(client.getInputStream());

            int taken = takeSlowly(client.getInputStream());

            assertThat(client.getInputStream().readNBytes(BIG.length - taken)).hasSize(BIG.length - taken);
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
