// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.albm.core.json.Json;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntervalTest {
    private static final Interval.Limits WIDE = new Interval.Limits(1, Long.MAX_VALUE);
    private static final int CASES = 2000;

    @Test
    void theStallTakesItsShareOfTheTimeWhateverItIs() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < CASES; i++) {
            double percent = random.nextDouble(0.01, 50);
            List<Long> stalls = stalls(random, 100, 100_000);
            double mean = stalls.stream().mapToLong(Long::longValue).average().orElseThrow();
            long interval = new Interval.OverheadBudget(percent, WIDE).millis(stalls);
            assertThat(mean / interval * 100)
                    .as("%s at %s %%", stalls, percent)
                    .isCloseTo(percent, within(percent / 100));
        }
    }

    /** By the expected time that Daly's paper starts from, for exponential failures and free restarts. */
    @Test
    void noOtherIntervalLosesMuchLessTimeThanDalys() {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < CASES; i++) {
            long mtbf = random.nextLong(60_000, 10_000_000_000L);
            long cost = random.nextLong(10, mtbf / 2);
            double chosen = new Interval.YoungDaly(mtbf, WIDE).millis(List.of(cost));
            double wasted = slowdown(chosen, (double) cost, (double) mtbf);
            for (double factor = 0.1; factor < 10; factor *= 1.1) {
                double other = Math.max(chosen * factor, cost + 1.0);
                assertThat(wasted)
                        .as("cost %d, mtbf %d: %s against %s", cost, mtbf, chosen, other)
                        .isLessThan(slowdown(other, (double) cost, (double) mtbf) * 1.01);
            }
        }
    }

    /** Time of a job that is checkpointed so, over its time without checkpoints and failures; restarts are free. */
    private static double slowdown(double beginToBegin, double cost, double mtbf) {
        return mtbf * Math.expm1(beginToBegin / mtbf) / (beginToBegin - cost);
    }

    @ParameterizedTest(name = "cost {0} s, mtbf {1} s: {2} s of work")
    @CsvSource({"0.5, 86400, 293.6", "60, 86400, 3180.1", "300, 86400, 7001.4", "300, 3600, 1276.5"})
    void agreesWithDalysFormulaComputedByHand(double cost, double mtbf, double work) {
        long interval = new Interval.YoungDaly(Math.round(mtbf * 1000), WIDE).millis(List.of(Math.round(cost * 1000)));
        assertThat(interval / 1000.0 - cost).isCloseTo(work, within(0.06));
    }

    /** Captions of figures 3 to 5: a dump takes 5 min. */
    @ParameterizedTest(name = "mtbf {0} min: {1} min of work")
    @CsvSource({"1440, 117, 0.5", "360, 57, 0.5", "15, 9.1, 0.05"})
    void givesWhatDalysPaperGives(long mtbf, double work, double rounded) {
        long interval = new Interval.YoungDaly(mtbf * 60_000, WIDE).millis(List.of(300_000L));
        assertThat(interval / 60_000.0 - 5).isCloseTo(work, within(rounded));
    }

    @Test
    void aCostBeyondTwiceTheTimeBetweenFailuresLeavesThatTimeForWork() {
        assertThat(new Interval.YoungDaly(1000, WIDE).millis(List.of(2000L))).isEqualTo(3000);
        assertThat(new Interval.YoungDaly(1000, WIDE).millis(List.of(9000L))).isEqualTo(10_000);
    }

    @Test
    void staysWithinItsLimits() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < CASES; i++) {
            Interval.Limits limits = new Interval.Limits(random.nextLong(1, 5000), random.nextLong(5000, 100_000));
            List<Long> stalls = stalls(random, 0, 10_000_000);
            assertThat(List.of(
                            new Interval.OverheadBudget(random.nextDouble(0.01, 50), limits).millis(stalls),
                            new Interval.YoungDaly(random.nextLong(1, 1_000_000_000), limits).millis(stalls)))
                    .allSatisfy(interval ->
                            assertThat(interval).isBetween(limits.shortestMillis(), limits.longestMillis()));
        }
    }

    @Test
    void beginsWithTheShortestSinceNothingIsMeasured() {
        Interval.Limits limits = new Interval.Limits(700, 9000);
        assertThat(new Interval.OverheadBudget(2, limits).millis(List.of())).isEqualTo(700);
        assertThat(new Interval.YoungDaly(86_400_000, limits).millis(List.of())).isEqualTo(700);
        assertThat(new Interval.Fixed(5000).millis(List.of())).isEqualTo(5000);
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> new Interval.OverheadBudget(0, WIDE)).hasMessageContaining("more than 0");
        assertThatThrownBy(() -> new Interval.OverheadBudget(Double.NaN, WIDE)).hasMessageContaining("more than 0");
        assertThatThrownBy(() -> new Interval.OverheadBudget(51, WIDE)).hasMessageContaining("at most 50");
        assertThatThrownBy(() -> new Interval.YoungDaly(0, WIDE)).hasMessageContaining("> 0");
        assertThatThrownBy(() -> new Interval.Fixed(0)).hasMessageContaining("at least 1");
        assertThatThrownBy(() -> new Interval.Limits(10, 9)).hasMessageContaining("not below the shortest");
    }

    @Test
    void isTheSameAfterItWasStored() {
        for (Interval interval : List.of(
                new Interval.Fixed(5000), new Interval.OverheadBudget(2.5, WIDE), new Interval.YoungDaly(7, WIDE))) {
            assertThat(Json.read(Json.bytes(interval), Interval.class)).isEqualTo(interval);
        }
    }

    private static List<Long> stalls(SplittableRandom random, long from, long below) {
        return LongStream.range(0, random.nextInt(1, Interval.MEASURED + 1))
                .mapToObj(i -> random.nextLong(from, below))
                .toList();
    }
}
