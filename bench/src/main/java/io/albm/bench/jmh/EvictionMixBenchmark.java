// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.jmh;

import io.albm.cache.policy.EvictionPolicy;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does a request cost a policy when popularity is skewed and half of the documents fit? About four of five are hits,
 * the others evict or are refused.
 */
public class EvictionMixBenchmark extends PolicyState {

    private static final int NAMES_PER_DOCUMENT = 4;

    private Integer[] skewed = {};
    private EvictionPolicy<Integer> half;

    @SuppressWarnings("NullAway.Init") // set up by JMH before every trial
    public EvictionMixBenchmark() {}

    @Setup
    public void fill() {
        Integer[] names = new Integer[documents];
        Arrays.setAll(names, document -> document);
        skewed = new Integer[NAMES_PER_DOCUMENT * documents];
        Arrays.setAll(skewed, i -> names[(int) (documents * Math.pow(random.nextDouble(), 3))]);
        half = create(documents / 2);
        letSomeWait(half);
        for (int i = 0; i < skewed.length; i++) {
            request();
        }
    }

    // In an order that never comes round: it could be learned.
    @Benchmark
    public boolean request() {
        return request(half, skewed[random.nextInt(skewed.length)]);
    }
}
