// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.jmh;

import io.albm.cache.policy.EvictionPolicies;
import io.albm.cache.policy.EvictionPolicy;
import io.albm.cache.policy.PolicyContext;
import io.albm.cache.policy.SchedulingWindow;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * A policy and its window, with 64 requests waiting, as the server uses them. {@code sampled} is no policy of the
 * server, but the yardstick of {@code window-aware}: {@link SampledPolicy}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = "-XX:+UseSerialGC") // as the server runs
public abstract class PolicyState {

    private static final int WAITING = 64;
    private static final String SAMPLED = "sampled";

    @Param({"lru", "window-lru", "sampled", "window-aware", "caffeine", "gdsf", "size"})
    public String kind = "";

    @Param({"1000", "10000", "100000", "1000000"})
    public int documents;

    final SplittableRandom random = new SplittableRandom(1);
    private final SchedulingWindow<Integer> window = new SchedulingWindow<>(1024);

    PolicyState() {}

    final EvictionPolicy<Integer> create(int capacity) {
        var context = new PolicyContext<>(capacity, window);
        return kind.equals(SAMPLED) ? new SampledPolicy<>(context) : EvictionPolicies.create(kind, context);
    }

    @SafeVarargs
    final void letSomeWait(EvictionPolicy<Integer>... policies) {
        for (int i = 0; i < WAITING; i++) {
            Integer document = random.nextInt(documents);
            window.enter(document);
            for (EvictionPolicy<Integer> policy : policies) {
                policy.arrived(document);
            }
        }
    }

    /** As the server does it: a hit never waits. To ask whether a document is resident stands for a look into its index. */
    final boolean request(EvictionPolicy<Integer> policy, Integer document) {
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
}
