// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.policy.EvictionPolicies;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BeladySizeTest {

    @Test
    void isOptimalWhereAllSizesAreEqual() {
        for (long seed = 1; seed <= 40; seed++) {
            Trace trace = Traces.random(seed, 5, 12, 1);

            assertThat(BeladySize.run(trace.requests(), 2).reads())
                    .as("seed %d", seed)
                    .isEqualTo(fewestReads(trace.requests(), 2, 0, Set.of()));
        }
    }

    @Test
    void neverPassesTheOptimumAndComesCloseToIt() {
        long reads = 0;
        long fewest = 0;
        for (long seed = 1; seed <= 40; seed++) {
            Trace trace = Traces.random(seed, 5, 12, 4);
            long optimum = fewestReads(trace.requests(), 6, 0, Set.of());
            long found = BeladySize.run(trace.requests(), 6).reads();
            assertThat(found).as("seed %d", seed).isGreaterThanOrEqualTo(optimum);
            reads += found;
            fewest += optimum;
        }
        assertThat(reads).isLessThan(fewest * 11 / 10);
    }

    @Test
    void noPolicyReadsLessInOrderWhereItIsOptimal() {
        Trace trace = Traces.random(1, 60, 3000, 1);
        long limit = BeladySize.run(trace.requests(), 20).reads();

        for (String policy : EvictionPolicies.names()) {
            for (int window : CacheGrid.WINDOWS) {
                assertThat(InOrderSimulation.run(trace.requests(), policy, 20, window)
                                .reads())
                        .as("%s/w%d", policy, window)
                        .isGreaterThanOrEqualTo(limit);
            }
        }
    }

    /** Tries every subset of what is held and what was read, after every request. */
    private static long fewestReads(List<Trace.Request> requests, long capacity, int at, Set<Trace.Request> held) {
        if (at == requests.size()) {
            return 0;
        }
        Trace.Request request = requests.get(at);
        if (held.contains(request)) {
            return fewestReads(requests, capacity, at + 1, held);
        }
        long fewest = fewestReads(requests, capacity, at + 1, held);
        List<Trace.Request> others = List.copyOf(held);
        for (int kept = 0; kept < (1 << others.size()); kept++) {
            Set<Trace.Request> choice = choice(others, kept);
            choice.add(request);
            if (choice.stream().mapToLong(Trace.Request::bytes).sum() <= capacity) {
                fewest = Math.min(fewest, fewestReads(requests, capacity, at + 1, choice));
            }
        }
        return 1 + fewest;
    }

    private static Set<Trace.Request> choice(List<Trace.Request> from, int bits) {
        Set<Trace.Request> choice = new HashSet<>();
        for (int i = 0; i < from.size(); i++) {
            if ((bits & (1 << i)) != 0) {
                choice.add(from.get(i));
            }
        }
        return choice;
    }
}
