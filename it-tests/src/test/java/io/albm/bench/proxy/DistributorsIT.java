// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.bench.compare.Contender;
import io.albm.bench.compare.Samples;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.process.Roles;
import io.albm.core.local.Installation;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Our side of {@code albm bench proxy}: it needs no peer, and no load generator. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DistributorsIT {
    private final ProcessGroup processes;
    private final Distributors distributors;

    DistributorsIT(@TempDir Path base) throws Exception {
        processes = ProcessGroup.in(base);
        Path home =
                Path.of(System.getProperty("albm.home", "..")).toAbsolutePath().normalize();
        Path certificates = SelfSigned.make(processes.directory())
                .writeDirectory(processes.directory().resolve("certificates"));
        Backends backends = Backends.start(processes);
        distributors = new Distributors(Roles.start(processes, new Installation(home)), backends, certificates);
    }

    @AfterAll
    void stop() {
        processes.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = ProxyScenario.class,
            names = {"HTTP_10K", "TCP_1M", "TLS_1B"})
    void answersHaveTheRightBytesInEveryMode(ProxyScenario scenario) throws Exception {
        Contender ours = distributors.start(scenario.mode());
        try (Samples samples = Samples.of(scenario, ours)) {
            await().atMost(Duration.ofSeconds(30)).until(() -> samples.wrong() != null || samples.compared() >= 3);
            assertThat(samples.wrong()).isNull();
        }
        assertThat(ours.process().cpuTime()).isPositive();
        processes.stop(ours.process());
    }
}
