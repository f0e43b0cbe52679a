// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The collector of a host that is short of memory must never have work because somebody watches it. */
final class SampleAllocationTest {
    private static final int ROUNDS = 5;
    private static final int SAMPLES = 500;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    Path directory;

    @Test
    void aSampleOfThisHostAllocatesNothing() throws IOException {
        try (HostSampler sampler = HostSampler.open(HostFiles.ofThisHost())) {
            assertThat(allocatedBy(sampler)).isZero();
        }
    }

    @Test
    void aSampleWithinAContainerLimitAllocatesNothing() throws IOException {
        FakeHost host = new FakeHost(directory);
        HostFiles files = host.files(host.container(1000, 500, 0.5));
        try (HostSampler sampler = HostSampler.open(files)) {
            assertThat(allocatedBy(sampler)).isZero();
        }
    }

    /** The least of a few rounds: a sample that allocates does so in each, the JVM's own linking only in one. */
    private long allocatedBy(HostSampler sampler) {
        run(sampler, SAMPLES);
        return LongStream.generate(() -> allocatedInOneRound(sampler))
                .limit(ROUNDS)
                .min()
                .orElseThrow();
    }

    private long allocatedInOneRound(HostSampler sampler) {
        long before = threads.getCurrentThreadAllocatedBytes();
        run(sampler, SAMPLES);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static void run(HostSampler sampler, int steps) {
        for (int step = 1; step <= steps; step++) {
            sampler.step(step);
        }
    }
}
