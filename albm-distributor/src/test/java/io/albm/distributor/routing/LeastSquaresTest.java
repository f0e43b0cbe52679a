// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LeastSquaresTest {
    private static final int SIZE = 4;
    private static final double[] TRUE = {0, 0, 5, 15};

    private final SplittableRandom random = new SplittableRandom(11);
    private final LeastSquares squares = new LeastSquares(SIZE);

    /** As requests of a closed loop do: a gain for each by itself would give both about the same value for long. */
    @Test
    void tellsApartWhatNearlyAlwaysComesTogether() {
        for (int i = 0; i < 60; i++) {
            int together = random.nextInt(-20, 20);
            learn(new int[] {0, 0, together + random.nextInt(-2, 3), together / 4 + random.nextInt(-2, 3)}, 10);
        }

        assertThat(squares.value(2)).isCloseTo(5, within(1.0));
        assertThat(squares.value(3)).isCloseTo(15, within(3.0));
    }

    @Test
    void isUncertainOfWhatAlwaysComesTogether() {
        for (int i = 0; i < 1_000; i++) {
            int together = random.nextInt(-20, 20);
            learn(new int[] {0, together, together, 0}, 1);
        }

        assertThat(squares.uncertainty(1)).isGreaterThan(0.5);
        assertThat(squares.uncertainty(2)).isGreaterThan(0.5);
        assertThat(squares.value(1) + squares.value(2)).isCloseTo(5, within(0.1));
    }

    @Test
    void growsCertainWithEvidence() {
        assertThat(squares.uncertainty(3)).isEqualTo(1);

        learn(new int[] {0, 0, 0, 10}, 0);

        assertThat(squares.uncertainty(3)).isCloseTo(0.1, within(0.01));
        assertThat(squares.uncertainty(2)).isEqualTo(1);
    }

    @Test
    void whatWeighsLittleIsLittleEvidence() {
        squares.learn(new int[] {0, 0, 0, 1}, 30, 0.01);

        assertThat(squares.value(3)).isCloseTo(0.3, within(0.01));
        assertThat(squares.uncertainty(3)).isGreaterThan(0.99);
    }

    @Test
    void followsAChange() {
        for (int i = 0; i < 10_000; i++) {
            learn(new int[] {0, 0, 0, random.nextInt(-5, 6)}, 1);
        }
        for (int i = 0; i < 10_000; i++) {
            int change = random.nextInt(-5, 6);
            squares.learn(new int[] {0, 0, 0, change}, 30 * change - squares.explained(new int[] {0, 0, 0, change}), 1);
        }

        assertThat(squares.value(3)).isCloseTo(30, within(0.1));
    }

    @Test
    void noValueIsNegative() {
        squares.learn(new int[] {0, 7, 0, 0}, -1_000, 1);

        assertThat(squares.value(1)).isZero();
    }

    private void learn(int[] changes, double noise) {
        double observed = noise * random.nextGaussian();
        for (int i = 0; i < SIZE; i++) {
            observed += TRUE[i] * changes[i];
        }
        squares.learn(changes, observed - squares.explained(changes), 1);
    }
}
