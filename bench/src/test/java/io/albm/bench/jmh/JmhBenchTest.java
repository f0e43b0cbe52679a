// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

class JmhBenchTest {
    private static final String MISS = "EvictionBenchmark.miss/documents=1000/";
    private static final String REQUEST = "EvictionMixBenchmark.request/documents=1000/";

    private static Result nanos(String name, double ours) {
        return Result.of(name, ours, 10, "lru", "ns/op", 3);
    }

    @Test
    void comparesEachOperationOfOurPolicyWithItsPlainForm() {
        List<Target> targets =
                JmhBench.targets(List.of(nanos(MISS + "sampled", 40), nanos(MISS + "window-aware", 100)));

        assertThat(targets).containsExactly(Target.atMost(MISS + "window-aware cost of " + MISS + "sampled", 2.5, 2));
    }

    @Test
    void comparesTheRequestsOfThePapersPolicyWithLru() {
        List<Target> targets =
                JmhBench.targets(List.of(nanos(REQUEST + "window-lru", 15), nanos(MISS + "window-lru", 50)));

        assertThat(targets).containsExactly(Target.atMost(REQUEST + "window-lru cost", 1.5, 2));
    }

    @Test
    void demandsNothingOfWhatWasNotMeasured() {
        assertThat(JmhBench.targets(List.of(nanos(MISS + "window-aware", 100)))).isEmpty();
    }
}
