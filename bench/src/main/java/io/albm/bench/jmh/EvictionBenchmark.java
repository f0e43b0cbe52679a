// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.jmh;

import io.albm.cache.policy.EvictionPolicies;
import io.albm.cache.policy.EvictionPolicy;
import io.albm.cache.policy.PolicyContext;
import io.albm.cache.policy.SchedulingWindow;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What does a hit, a miss, an eviction cost a policy and its window, with so many documents resident and 64 requests
 * waiting? And what does a request cost that is one of them, when popularity is skewed and half of the documents fit?
 * {@code sampled} is no policy of the server, but the yardstick of {@code window-aware}: {@link SampledPolicy}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = "-XX:+UseSerialGC") // as the server runs
public class EvictionBenchmark {

    private static final int REQUESTS = 1 << 16;
    private static final int WAITING = 64;
    private static final String SAMPLED = "sampled";

    @Param({"lru", "window-lru", "sampled", "window-aware", "caffeine", "gdsf", "size"})
    public String kind = "";

    @Param({"1000", "10000", "100000", "1000000"})
    public int documents;

    private final Integer[] skewed = new Integer[REQUESTS];
    private final Integer[] even = new Integer[REQUESTS];
    private final SchedulingWindow<Integer> window = new SchedulingWindow<>(1024);
    private EvictionPolicy<Integer> full;
    private EvictionPolicy<Integer> roomy;
    private EvictionPolicy<Integer> half;
    private int next;
    private Integer victim = -1;

    @SuppressWarnings("NullAway.Init") // set up by JMH before every trial
    public EvictionBenchmark() {}

    @Setup
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < REQUESTS; i++) {
            skewed[i] = (int) (documents * Math.pow(random.nextDouble(), 3));
            even[i] = random.nextInt(documents);
        }
        full = filled(documents);
        roomy = filled(documents + 1);
        half = create(documents / 2);
        for (int i = 0; i < WAITING; i++) {
            Integer document = random.nextInt(documents);
            window.enter(document);
            List.of(full, roomy, half).forEach(policy -> policy.arrived(document));
        }
    }

    private EvictionPolicy<Integer> create(int capacity) {
        var context = new PolicyContext<>(capacity, window);
        return kind.equals(SAMPLED) ? new SampledPolicy<>(context) : EvictionPolicies.create(kind, context);
    }

    private EvictionPolicy<Integer> filled(int capacity) {
        EvictionPolicy<Integer> policy = create(capacity);
        for (int document = 0; document < documents; document++) {
            request(policy, document);
        }
        return policy;
    }

    /** As the server does it: a hit never waits. To ask whether a document is resident stands for a look into its index. */
    private boolean request(EvictionPolicy<Integer> policy, Integer document) {
        boolean hit = policy.isResident(document);
        if (hit) {
            window.pass(document);
            policy.served(document);
        } else {
            SchedulingWindow.Ticket<Integer> ticket = window.enter(document);
            policy.arrived(document);
            window.leave(ticket);
            policy.admit(document, 1, evicted -> {});
        }
        return hit;
    }

    /** A request for any of the residents. */
    @Benchmark
    public boolean hit() {
        return request(full, even[next++ & (REQUESTS - 1)]);
    }

    /** A request for a new document, for which there is room; then it is dropped again. */
    @Benchmark
    public boolean miss() {
        Integer document = documents + next++;
        boolean hit = request(roomy, document);
        roomy.remove(document);
        return hit;
    }

    /** One victim for want of room; then it is read again. */
    @Benchmark
    public boolean eviction() {
        full.resize(documents - 1, evicted -> victim = evicted);
        full.resize(documents, evicted -> {});
        return request(full, victim);
    }

    /** The mix. */
    @Benchmark
    public boolean request() {
        return request(half, skewed[next++ & (REQUESTS - 1)]);
    }
}
