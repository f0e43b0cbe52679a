// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RouteCostsTest {
    private static final int ROUTE = 3;
    private static final long MIB = 1L << 20;

    private final RouteCosts costs = new RouteCosts();

    @Test
    void isUnknownUntilEnoughWasSeen() {
        learn(7, 5 * MIB);
        assertThat(costs.bytes(ROUTE)).isEqualTo(RouteCosts.UNKNOWN);

        learn(1, 5 * MIB);
        assertThat(costs.bytes(ROUTE)).isEqualTo(5 * MIB);
        assertThat(costs.bytes(ROUTE + 1)).isEqualTo(RouteCosts.UNKNOWN);
    }

    @Test
    void aRouteThatHoldsNothingIsKnownToBeCheap() {
        learn(8, 0);

        assertThat(costs.bytes(ROUTE)).isEqualTo(1);
    }

    @Test
    void findsTheMeanUnderNoise() {
        var random = new SplittableRandom(1);
        for (int i = 0; i < 1_000; i++) {
            costs.learn(ROUTE, Math.round(5 * MIB * Math.exp(0.5 * random.nextGaussian() - 0.125)));
        }

        assertThat((double) costs.bytes(ROUTE)).isCloseTo(5.0 * MIB, within(1.5 * MIB));
    }

    @Test
    void oneWildValueMovesItLittle() {
        learn(100, 5 * MIB);
        learn(1, Long.MAX_VALUE);

        assertThat(costs.bytes(ROUTE)).isLessThan(6 * MIB);
    }

    @Test
    void followsAChange() {
        learn(1_000, 5 * MIB);
        learn(300, 15 * MIB);

        assertThat((double) costs.bytes(ROUTE)).isCloseTo(15.0 * MIB, within(0.1 * MIB));
    }

    private void learn(int times, long bytes) {
        IntStream.range(0, times).forEach(_ -> costs.learn(ROUTE, bytes));
    }
}
