// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.jmh;

import io.albm.cache.policy.EvictionPolicies;
import io.albm.cache.policy.EvictionPolicy;
import io.albm.cache.policy.PolicyContext;
import io.albm.cache.policy.SchedulingWindow;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What does one request cost a policy and its window, when half of the documents fit: arrival, service, and for a
 * miss one admission with its evictions?
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EvictionBenchmark {

    private static final int REQUESTS = 1 << 16;

    @Param({"lru", "window-lru"})
    public String kind = "";

    @Param({"1000", "100000"})
    public int documents;

    private final Integer[] requests = new Integer[REQUESTS];
    private final SchedulingWindow<Integer> window = new SchedulingWindow<>(1024);
    private EvictionPolicy<Integer> policy;
    private int next;

    @SuppressWarnings("NullAway.Init") // set up by JMH before every trial
    public EvictionBenchmark() {}

    @Setup
    public void fill() {
        policy = EvictionPolicies.create(kind, new PolicyContext<>(documents / 2, window));
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < REQUESTS; i++) {
            requests[i] = (int) (documents * Math.pow(random.nextDouble(), 3));
        }
    }

    @Benchmark
    public boolean request() {
        Integer document = requests[next++ & (REQUESTS - 1)];
        SchedulingWindow.Ticket<Integer> ticket = window.enter(document);
        policy.arrived(document);
        boolean hit = policy.isResident(document);
        if (hit) {
            policy.served(document);
        } else {
            policy.admit(document, 1, victim -> {});
        }
        window.leave(ticket);
        return hit;
    }
}
