// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.jmh;

import io.albm.cache.policy.EvictionPolicy;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/** What does a hit, a miss, an eviction cost a policy, with so many documents resident? */
public class EvictionBenchmark extends PolicyState {

    private static final int REQUESTS = 1 << 16;

    private final Integer[] even = new Integer[REQUESTS];
    private EvictionPolicy<Integer> full;
    private EvictionPolicy<Integer> roomy;
    private int next;
    private Integer victim = -1;

    @SuppressWarnings("NullAway.Init") // set up by JMH before every trial
    public EvictionBenchmark() {}

    @Setup
    public void fill() {
        Arrays.setAll(even, i -> random.nextInt(documents));
        full = filled(documents);
        roomy = filled(documents + 1);
        letSomeWait(full, roomy);
    }

    private EvictionPolicy<Integer> filled(int capacity) {
        EvictionPolicy<Integer> policy = create(capacity);
        for (int document = 0; document < documents; document++) {
            request(policy, document);
        }
        return policy;
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
}
