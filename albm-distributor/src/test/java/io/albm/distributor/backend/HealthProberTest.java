// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import static org.awaitility.Awaitility.await;

import io.albm.core.net.Transport;
import io.albm.core.time.MonotonicClock;
import io.albm.distributor.proxy.RawBackend;
import io.albm.distributor.routing.ReliefSettings;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthProberTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Transport transport = Transport.open(1);
    private final EventLoop control = transport.eventLoops().next();
    private final RawBackend backend = new RawBackend(RawBackend.text("hello"));

    HealthProberTest() throws IOException {}

    @AfterEach
    void stop() {
        backend.close();
        transport.close();
    }

    @Test
    void aCheckThatCannotBeMadeHasFailedAndIsMadeAgain() {
        var directory = new BackendDirectory(
                "main",
                control,
                MonotonicClock.system(),
                checking("/no path"),
                "round-robin",
                ReliefSettings.DEFAULT,
                gone -> {});
        var prober = new HealthProber(directory, transport.clientBootstrap(), control);
        directory.expect(Map.of("b", new BackendSpec(backend.address(), null)));

        await().until(() -> healthAfterCheck(directory, prober), "down"::equals);
        directory.judgeBy(checking("/"));
        await().until(() -> healthAfterCheck(directory, prober), "up"::equals);
    }

    private String healthAfterCheck(BackendDirectory directory, HealthProber prober) {
        control.submit(prober::probeAll).syncUninterruptibly();
        return directory.status().backends().getFirst().health();
    }

    private static BackendSettings checking(String path) {
        return new BackendSettings(
                path, SECOND, SECOND, 1, 1, 3, 1_000, Duration.ofMinutes(1), ProtectionSettings.DEFAULT);
    }
}
