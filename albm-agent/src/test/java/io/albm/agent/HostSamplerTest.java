// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.albm.core.node.Counter;
import io.albm.core.node.CounterSample;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
    void samplesTheSixCountersOfThePaper() throws IOException {
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
            assertThat(sample.value(Counter.AVAILABLE_MEMORY)).isEqualTo(2048 * 1024);
            assertThat(sample.value(Counter.PAGE_READS)).isEqualTo(15);
            assertThat(sample.value(Counter.RUN_QUEUE_LENGTH)).isEqualTo(6 - 1 - 2);
            assertThat(sample.value(Counter.CPU_BUSY)).isCloseTo(0.75, within(1e-9));
            assertThat(sample.value(Counter.NETWORK)).isEqualTo(3000);
            assertThat(sample.value(Counter.ESTABLISHED_CONNECTIONS)).isEqualTo(17);
        }
    }

    @Test
    void ratesAreZeroAtTheFirstSample() throws IOException {
        host.majorFaults(1_000_000);
        host.cpu(1_000_000, 5);
        host.network(1_000_000, 5);
        try (HostSampler sampler = HostSampler.open(host.files())) {
            sampler.step(SECOND);
            assertThat(sampler.value(Counter.PAGE_READS)).isZero();
            assertThat(sampler.value(Counter.CPU_BUSY)).isZero();
            assertThat(sampler.value(Counter.NETWORK)).isZero();
        }
    }

    @Test
    void availableMemoryIsTheTightestOfHostAndContainer() throws IOException {
        Path group = host.memoryGroup(1_000_000, 900_000);
        try (HostSampler sampler = HostSampler.open(host.files(group))) {
            sampler.step(0);
            assertThat(sampler.value(Counter.AVAILABLE_MEMORY)).isEqualTo(100_000);
            host.meminfo(10);
            sampler.step(SECOND);
            assertThat(sampler.value(Counter.AVAILABLE_MEMORY)).isEqualTo(10 * 1024);
        }
    }

    @Test
    void anUnreadableCounterKeepsItsValueAndHoldsUpNoOther() throws IOException {
        try (HostSampler sampler = HostSampler.open(host.files())) {
            host.established(4);
            sampler.step(0);
            host.write("proc/net/snmp", "Ip: nothing of TCP\n");
            host.meminfo(77);
            sampler.step(SECOND);
            assertThat(sampler.value(Counter.ESTABLISHED_CONNECTIONS)).isEqualTo(4);
            assertThat(sampler.value(Counter.AVAILABLE_MEMORY)).isEqualTo(77 * 1024);
            assertThat(sampler.unreadable()).containsExactly(Counter.ESTABLISHED_CONNECTIONS);

            host.established(9);
            sampler.step(2 * SECOND);
            assertThat(sampler.value(Counter.ESTABLISHED_CONNECTIONS)).isEqualTo(9);
            assertThat(sampler.unreadable()).isEmpty();
        }
    }

    @Test
    void pressureIsTheShareOfTheTimeSinceTheLastSample() throws IOException {
        host.pressure("memory", 5_000_000);
        try (HostSampler sampler = HostSampler.open(host.files())) {
            sampler.step(0);
            assertThat(sampler.value(Counter.MEMORY_PRESSURE)).isZero();
            host.pressure("memory", 5_500_000);
            sampler.step(2 * SECOND);
            assertThat(sampler.value(Counter.MEMORY_PRESSURE)).isEqualTo(0.25);
        }
    }

    @Test
    void whatThisHostDoesNotHaveIsAbsent() throws IOException {
        try (HostSampler sampler = HostSampler.open(host.files())) {
            sampler.step(0);
            sampler.step(SECOND);
            CounterSample sample = sampler.sample();
            assertThat(Arrays.stream(Counter.values()).filter(counter -> !sample.has(counter)))
                    .containsExactly(
                            Counter.CPU_PRESSURE,
                            Counter.MEMORY_PRESSURE,
                            Counter.IO_PRESSURE,
                            Counter.FREE_SWAP,
                            Counter.DISK_BUSY,
                            Counter.DISK);
            assertThat(sampler.unreadable()).isEmpty();
        }
    }

    @Test
    void samplesSwap() throws IOException {
        try (HostSampler sampler = HostSampler.open(host.files())) {
            sampler.step(0);
            host.swap(2000, 500);
            host.vmstat(0, 40, 60);
            sampler.step(2 * SECOND);
            assertThat(sampler.value(Counter.FREE_SWAP)).isEqualTo(500 * 1024);
            assertThat(sampler.value(Counter.SWAP_INS)).isEqualTo(20);
            assertThat(sampler.value(Counter.SWAP_OUTS)).isEqualTo(30);
        }
    }

    @Test
    void aByteCountsOnceThoughPartitionsAndMappersShowItAgain() throws IOException {
        host.block("sda");
        host.block("sdb");
        host.block("dm-0", "sda");
        host.block("loop0");
        host.disks(disks(0, 0, 0));
        try (HostSampler sampler = HostSampler.open(host.files())) {
            sampler.step(0);
            host.disks(disks(100, 60, 500));
            sampler.step(SECOND);
            assertThat(sampler.value(Counter.DISK)).isEqualTo(512 * (100 + 60) * 2);
            assertThat(sampler.value(Counter.DISK_BUSY)).isEqualTo(0.5);
        }
    }

    private static String[] disks(long read, long written, long busyMillis) {
        return Stream.of("loop0", "sda", "sda1", "sdb", "dm-0")
                .map(name -> FakeHost.disk(name, read, written, name.equals("sdb") ? busyMillis / 5 : busyMillis))
                .toArray(String[]::new);
    }

    @Test
    void aDiskThatComesStartsAtNothing() throws IOException {
        host.block("sda");
        host.block("sdb");
        host.disks(FakeHost.disk("sdb", 10, 0, 0));
        try (HostSampler sampler = HostSampler.open(host.files())) {
            sampler.step(0);
            host.disks(FakeHost.disk("sda", 1_000_000, 0, 900_000), FakeHost.disk("sdb", 14, 0, 100));
            sampler.step(SECOND);
            assertThat(sampler.value(Counter.DISK)).isEqualTo(4 * 512);
            assertThat(sampler.value(Counter.DISK_BUSY)).isEqualTo(0.1);
        }
    }

    @Test
    void aContainerAtItsCpuLimitIsBusyThoughItsHostIsIdle() throws IOException {
        Path container = host.container(1_000_000, 0, 0.5);
        host.cpu(0, 100);
        try (HostSampler sampler = HostSampler.open(host.files(container))) {
            sampler.step(0);
            host.cpu(10, 200);
            host.containerCpu(400_000);
            sampler.step(SECOND);
            assertThat(sampler.value(Counter.CPU_BUSY)).isCloseTo(0.8, within(1e-9));
        }
    }

    @Test
    void aContainerThatStartsAgainIsFoundAgain() throws IOException {
        Path container = host.container(1_000_000, 900_000, 0.5);
        host.cpu(0, 100);
        try (HostSampler sampler = HostSampler.open(host.files(container))) {
            sampler.step(0);
            host.removeContainer();
            sampler.step(SECOND);
            sampler.step(2 * SECOND);
            assertThat(sampler.unreadable()).containsExactly(Counter.AVAILABLE_MEMORY, Counter.CPU_BUSY);

            host.container(1_000_000, 300_000, 0.5);
            sampler.step(3 * SECOND);
            host.containerCpu(400_000);
            sampler.step(4 * SECOND);
            assertThat(sampler.unreadable()).isEmpty();
            assertThat(sampler.value(Counter.AVAILABLE_MEMORY)).isEqualTo(700_000);
            assertThat(sampler.value(Counter.CPU_BUSY)).isCloseTo(0.8, within(1e-9));
        }
    }

    @Test
    void capacityIsTheHostsOrTheContainersLimit() throws IOException {
        assertThat(Capacity.of(host.files())).isEqualTo(new Capacity(99999 * 1024, 2));
        assertThat(Capacity.of(host.files(host.container(1_000_000, 0, 0.5)))).isEqualTo(new Capacity(1_000_000, 0.5));
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
            assertThat(sampler.sample().value(Counter.AVAILABLE_MEMORY)).isPositive();
            assertThat(sampler.unreadable()).isEmpty();
        }
    }
}
