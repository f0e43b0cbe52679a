// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InOrderSimulationTest {

    private static Served run(Trace trace, String policy, long capacity, int window) {
        return InOrderSimulation.run(trace.requests(), policy, capacity, window);
    }

    @Test
    void agreesWithAHandCountedRun() {
        Trace trace = Traces.sized(10, 1, 2, 1, 3, 2);

        assertThat(run(trace, "lru", 20, 1)).isEqualTo(new Served(5, 4, 50, 40));
        assertThat(trace.uniqueBytes()).isEqualTo(30);
    }

    @Test
    void aWindowSavesWhatLruMissesInThePapersExample() {
        Trace trace = Traces.of(5, 4, 3, 2, 1, 6, 3, 7, 5);

        assertThat(run(trace, "lru", 5, 4).reads()).isEqualTo(8);
        assertThat(run(trace, "window-lru", 5, 4).reads()).isEqualTo(7);
    }

    @Test
    void everyRequestIsCountedOnceWhateverTheWindow() {
        Trace trace = Traces.random(3, 50, 500, 40);
        long bytes = trace.requests().stream().mapToLong(Trace.Request::bytes).sum();

        for (int window : CacheGrid.WINDOWS) {
            Served served = run(trace, "window-aware", 100, window);
            assertThat(served.requests()).isEqualTo(500);
            assertThat(served.bytes()).isEqualTo(bytes);
        }
    }
}
