// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.Counter;
import io.albm.core.node.CounterReport;
import io.albm.core.node.HostHealth;
import io.albm.core.node.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CounterPublisherTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path directory;

    private final List<CounterReport> reports = new ArrayList<>();

    @Test
    void publishesOnChangeWithGrowingSequence() throws IOException {
        FakeHost host = new FakeHost(directory);
        try (HostSampler sampler = HostSampler.open(host.files())) {
            CounterPublisher publisher = publisher(sampler);
            publisher.step(0);
            publisher.step(2 * SECOND);
            host.established(500);
            publisher.step(3 * SECOND);

            assertThat(reports).extracting(CounterReport::sequence).containsExactly(0L, 1L);
            assertThat(reports.getLast().sample().value(Counter.ESTABLISHED_CONNECTIONS))
                    .isEqualTo(500);
            assertThat(reports.getLast().health()).isEqualTo(new HostHealth.Serving());
            assertThat(reports.getLast().node()).isEqualTo(new NodeId("cache-1"));
            assertThat(reports.getLast().at()).isEqualTo(NOW);
        }
    }

    private CounterPublisher publisher(HostSampler sampler) {
        DeadBand deadBand = new DeadBand(
                Arrays.stream(Counter.values()).map(Counter::tolerance).toList(),
                Duration.ofSeconds(1),
                Duration.ofSeconds(10));
        return new CounterPublisher(new NodeId("cache-1"), sampler, deadBand, () -> NOW, reports::add);
    }
}
