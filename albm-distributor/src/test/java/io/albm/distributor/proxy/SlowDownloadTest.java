// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.net.SlowTaker;
import io.albm.core.topology.FrontendMode;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that takes little at a time is served for as long as that takes. */
@Timeout(60)
class SlowDownloadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
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
                Socket client = SlowTaker.connect(harness.address)) {
            send(client, head("GET / HTTP/1.1", "Host: a"));
            RawBackend.readHead(client.getInputStream());

            int taken = SlowTaker.take(client.getInputStream(), PATIENCE);

            assertThat(client.getInputStream().readNBytes(BIG.length - taken)).hasSize(BIG.length - taken);
        }
    }
}
