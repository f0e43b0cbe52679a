// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HostSamplerTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    Path directory;

    private FakeHost host;

    @BeforeEach
    void makeHost() {
        host = new FakeHost(directory);
    }

    @Test
    void samplesAllSixCounters() throws IOException {
        try (HostSampler sampler = HostSampler.open(host.files())) {
            host.cpu(100, 100);
            sampler.step(0);
            host.meminfo(2048);
            host.majorFaults(30);
            host.runnable(6);
            host.cpu(175, 125);
            host.network(4000, 2000);
            host.established(17);
            sampler.step(2 * SECOND);

            var sample = sampler.sample();
            assertThat(sample.availableMemoryBytes()).isEqualTo(2048 * 1024);
            assertThat(sample.pageReadsPerSecond()).isEqualTo(15);
            assertThat(sample.runQueueLength()).isEqualTo(6 - 1 - 2);
            assertThat(sample.cpuBusyFraction()).isCloseTo(0.75, within(1e-9));
            assertThat(sample.networkBytesPerSecond()).isEqualTo(3000);
            assertThat(sample.establishedConnections()).isEqualTo(17);
        }
    }

    @Test
    void ratesAreZeroAtTheFirstSample() throws IOException {
        host.majorFaults(1_000_000);
        host.cpu(1_000_000, 5);
        host.network(1_000_000, 5);
        try (HostSampler sampler = HostSampler.open(host.files())) {
            sampler.step(SECOND);
            assertThat(sampler.value(HostCounter.PAGE_READS)).isZero();
            assertThat(sampler.value(HostCounter.CPU_BUSY)).isZero();
            assertThat(sampler.value(HostCounter.NETWORK_BYTES)).isZero();
        }
    }

    @Test
    void availableMemoryIsTheTightestOfHostAndContainer() throws IOException {
        Path group = host.memoryGroup(1_000_000, 900_000);
        try (HostSampler sampler = HostSampler.open(host.files(Optional.of(group)))) {
            sampler.step(0);
            assertThat(sampler.value(HostCounter.AVAILABLE_MEMORY)).isEqualTo(100_000);
            host.meminfo(10);
            sampler.step(SECOND);
            assertThat(sampler.value(HostCounter.AVAILABLE_MEMORY)).isEqualTo(10 * 1024);
        }
    }

    @Test
    void allMemoryIsTheHostsOrTheContainersLimit() throws IOException {
        assertThat(AvailableMemory.totalBytes(host.files())).isEqualTo(99999 * 1024);
        Path group = host.memoryGroup(1_000_000, 900_000);
        assertThat(AvailableMemory.totalBytes(host.files(Optional.of(group)))).isEqualTo(1_000_000);
    }

    @Test
    void anUnreadableCounterKeepsItsValueAndHoldsUpNoOther() throws IOException {
        try (HostSampler sampler = HostSampler.open(host.files())) {
            host.established(4);
            sampler.step(0);
            host.write("proc/net/snmp", "Ip: nothing of TCP\n");
            host.meminfo(77);
            sampler.step(SECOND);
            assertThat(sampler.value(HostCounter.ESTABLISHED_CONNECTIONS)).isEqualTo(4);
            assertThat(sampler.value(HostCounter.AVAILABLE_MEMORY)).isEqualTo(77 * 1024);
            assertThat(sampler.unreadable()).containsExactly(HostCounter.ESTABLISHED_CONNECTIONS);

            host.established(9);
            sampler.step(2 * SECOND);
            assertThat(sampler.value(HostCounter.ESTABLISHED_CONNECTIONS)).isEqualTo(9);
            assertThat(sampler.unreadable()).isEmpty();
        }
    }

    @Test
    void startingNamesTheFileThatIsMissing() {
        HostFiles files = new HostFiles(
                directory.resolve("nowhere"), directory, Optional.empty(), InterfaceFilter.allButLoopback());
        assertThatThrownBy(() -> HostSampler.open(files)).hasMessageContaining("nowhere");
    }

    @Test
    void samplesThisHost() throws IOException {
        try (HostSampler sampler = HostSampler.open(HostFiles.ofThisHost())) {
            sampler.step(0);
            sampler.step(SECOND);
            assertThat(sampler.sample().availableMemoryBytes()).isPositive();
            assertThat(sampler.unreadable()).isEmpty();
        }
    }
}
