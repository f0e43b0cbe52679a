// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Means are those of the distributions of SURGE, cut as it is said. */
class OffTimesTest {
    private static final int DRAWS = 200_000;
    private static final Percentage SOME = Percentage.withPercentage(3);

    @Test
    void aPageIsReadForAtLeastASecondAndNearlyThreeInTheMean() {
        assertThat(mean(off -> seconds(off.reading()))).isCloseTo(3 - 2 / Math.sqrt(60), SOME);
        assertThat(least(off -> seconds(off.reading()))).isGreaterThanOrEqualTo(1);
    }

    @Test
    void theBrowserTakesAtMostASecondBetweenFiles() {
        assertThat(mean(off -> seconds(off.browser()))).isBetween(0.4, 0.7);
        assertThat(least(off -> -seconds(off.browser()))).isGreaterThanOrEqualTo(-1);
    }

    @Test
    void pagesHaveAFileOrMoreBesideTheirFirst() {
        assertThat(mean(OffTimes::embeddedFiles)).isBetween(1.2, 1.5);
        assertThat(least(OffTimes::embeddedFiles)).isEqualTo(1);
    }

    private static double mean(ToDoubleFunction<OffTimes> figure) {
        OffTimes off = new OffTimes(new SplittableRandom(1));
        return IntStream.range(0, DRAWS)
                .mapToDouble(_ -> figure.applyAsDouble(off))
                .average()
                .orElseThrow();
    }

    private static double least(ToDoubleFunction<OffTimes> figure) {
        OffTimes off = new OffTimes(new SplittableRandom(2));
        return IntStream.range(0, DRAWS)
                .mapToDouble(_ -> figure.applyAsDouble(off))
                .min()
                .orElseThrow();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
