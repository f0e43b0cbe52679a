// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.jmh;

import io.albm.agent.HostFiles;
import io.albm.agent.HostSampler;
import io.albm.core.node.CounterSample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What does a sample of all counters cost a host, and what is gained by keeping the kernel's files open? */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SampleBenchmark {

    @Param({"opened-each-time", "kept-open"})
    public String kind = "";

    private final HostSampler kept = opened();

    private static HostSampler opened() {
        try {
            return HostSampler.open(HostFiles.ofThisHost());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @TearDown
    public void close() throws IOException {
        kept.close();
    }

    @Benchmark
    public CounterSample sample() throws IOException {
        return kind.equals("kept-open") ? sampleOf(kept) : sampleOfNew();
    }

    private static CounterSample sampleOfNew() throws IOException {
        try (HostSampler sampler = opened()) {
            return sampleOf(sampler);
        }
    }

    private static CounterSample sampleOf(HostSampler sampler) {
        sampler.step(System.nanoTime());
        return sampler.sample();
    }
}
