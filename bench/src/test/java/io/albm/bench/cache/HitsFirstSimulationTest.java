// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HitsFirstSimulationTest {

    private static Served run(Trace trace, long capacity, int window, ReadOrder order) {
        return HitsFirstSimulation.run(trace.requests(), "lru", capacity, window, order);
    }

    @Test
    void oneReadServesAllItsWaiters() {
        Trace trace = Traces.of(1, 2, 1, 3, 1);

        assertThat(run(trace, 1, 5, ReadOrder.OLDEST_FIRST).reads()).isEqualTo(3);
        assertThat(run(trace, 1, 1, ReadOrder.OLDEST_FIRST).reads()).isEqualTo(5);
    }

    @Test
    void hitsDoNotWaitForReads() {
        Trace trace = Traces.of(1, 2, 3, 1, 1, 1);

        assertThat(run(trace, 3, 2, ReadOrder.OLDEST_FIRST)).isEqualTo(new Served(6, 3, 6, 3));
    }

    /** Oldest first reads "large" at once, and later once more; the smallest first lets both its requests wait. */
    @Test
    void theSmallestIsReadFirstBySrpt() {
        Trace.Builder trace = new Trace.Builder();
        trace.add("large", 9);
        trace.add("small", 1);
        trace.add("other", 5);
        trace.add("large", 9);
        Trace built = trace.build("test");

        assertThat(run(built, 9, 2, ReadOrder.OLDEST_FIRST).reads()).isEqualTo(4);
        assertThat(run(built, 9, 2, ReadOrder.SHORTEST_FIRST).reads()).isEqualTo(3);
    }

    /** Three documents, and no second read: 2 is kept for its last request, and 1 waits for its own. */
    @Test
    void theMostWantedIsReadFirst() {
        Trace trace = Traces.of(1, 2, 2, 1, 2);

        assertThat(run(trace, 1, 3, ReadOrder.OLDEST_FIRST).reads()).isEqualTo(2);
        assertThat(run(trace, 1, 3, ReadOrder.MOST_WAITERS_FIRST).reads()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void readsEachDocumentAtLeastOnceAndForEachRequestAtMostOnce(ReadOrder order) {
        for (long seed = 1; seed <= 20; seed++) {
            Trace trace = Traces.random(seed, 40, 400, 20);
            for (int window : new int[] {1, 7, 64, 1024}) {
                Served served = run(trace, 100, window, order);
                assertThat(served.requests()).isEqualTo(400);
                assertThat(served.reads()).isBetween((long) trace.documents(), 400L);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void withOneRequestAtATimeEveryOrderIsTheTraces(ReadOrder order) {
        Trace trace = Traces.random(5, 40, 400, 20);

        assertThat(run(trace, 100, 1, order)).isEqualTo(InOrderSimulation.run(trace.requests(), "lru", 100, 1));
    }
}
