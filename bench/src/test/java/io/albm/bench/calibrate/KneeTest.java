// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.CounterSample;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Synthetic curves; loads double from 1. */
final class KneeTest {
    private static final CounterSample SAMPLE = new CounterSample(0, 0, 0, 0, 0, 0);
    private static final boolean GROWS = true;
    private static final boolean HOLDS = false;

    @Test
    void isWhereGoodputStopsGrowing() {
        assertThat(knee(GROWS, 100, 200, 390, 400, 395, 405)).hasValue(2);
    }

    @Test
    void isWhereGoodputIsHighestBeforeItFalls() {
        assertThat(knee(GROWS, 100, 200, 400, 300, 150)).hasValue(2);
    }

    @Test
    void thereIsNoneWhileGoodputGrows() {
        assertThat(knee(GROWS, 100, 200, 400, 800, 1500)).isEmpty();
    }

    @Test
    void aDipBeforeTheEndIsNoKnee() {
        assertThat(knee(GROWS, 100, 200, 190, 700, 1400)).isEmpty();
    }

    @Test
    void noiseUpwardsOnAPlateauIsNoGrowth() {
        assertThat(knee(GROWS, 100, 200, 400, 410, 395, 430)).hasValue(2);
    }

    @Test
    void growthThatLagsFarBehindTheLoadIsTheEnd() {
        assertThat(knee(GROWS, 100, 190, 220, 250, 280)).hasValue(1);
    }

    @Test
    void isWhereLatencyTurnsUpThoughGoodputStillGrows() {
        List<Step> steps = steps(100, 200, 400, 800, 1600);
        assertThat(Knee.find(withLatency(steps, 10, 11, 10, 80, 400), GROWS)).hasValue(2);
    }

    @Test
    void oneSlowStepIsNoTurn() {
        List<Step> steps = steps(100, 200, 400, 800, 1600);
        assertThat(Knee.find(withLatency(steps, 10, 90, 10, 12, 14), GROWS)).isEmpty();
    }

    @Test
    void isBeforeRequestsFail() {
        List<Step> steps = new ArrayList<>(steps(100, 200, 400));
        steps.add(new Step(8, 800, 10, 0.3, 0, SAMPLE));
        assertThat(Knee.find(steps, GROWS)).hasValue(2);
    }

    @Test
    void isWhereGoodputFallsIfItCanOnlyHold() {
        assertThat(knee(HOLDS, 40, 41, 39, 40, 12, 3)).hasValue(3);
        assertThat(knee(HOLDS, 40, 41, 39, 38, 37)).isEmpty();
        assertThat(knee(HOLDS, 40, 20, 41, 40, 39)).isEmpty();
    }

    @Test
    void tooFewStepsTellNothing() {
        assertThat(knee(GROWS)).isEmpty();
        assertThat(knee(GROWS, 100)).isEmpty();
    }

    private static OptionalInt knee(boolean grows, double... goodput) {
        return Knee.find(steps(goodput), grows);
    }

    private static List<Step> steps(double... goodput) {
        List<Step> steps = new ArrayList<>();
        for (double each : goodput) {
            steps.add(new Step(1 << steps.size(), each, 10, 0, 0, SAMPLE));
        }
        return steps;
    }

    private static List<Step> withLatency(List<Step> steps, long... micros) {
        List<Step> changed = new ArrayList<>();
        for (Step step : steps) {
            changed.add(new Step(step.load(), step.goodput(), micros[changed.size()], 0, 0, SAMPLE));
        }
        return changed;
    }
}
