// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.Counter;
import io.albm.core.node.CounterSample;
import io.albm.core.node.Threshold;
import io.albm.core.node.Thresholds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CalibrationTest {
    private static final long MIB = 1 << 20;

    @Test
    void findsThePapersMemoryLimitBetweenTheStepsOfItsFigure() {
        Curve figure3 = memory(new double[] {40, 40, 39, 12, 3}, 300, 220, 135, 83, 40);
        assertThat(Calibration.thresholds(List.of(figure3)))
                .isEqualTo(Thresholds.of(new Threshold(Counter.AVAILABLE_MEMORY, 109 * MIB, 122 * MIB)));
    }

    @Test
    void findsTheProcessorQueueOfAFineGrainLoad() {
        Curve figure1 = fine(new double[] {100, 200, 210, 205}, 0, 1, 3, 9);
        assertThat(Calibration.thresholds(List.of(figure1)))
                .isEqualTo(Thresholds.of(new Threshold(Counter.RUN_QUEUE_LENGTH, 2, 1.5)));
    }

    @Test
    void withoutAKneeThereIsNoThreshold() {
        Curve growing = fine(new double[] {100, 200, 400, 800}, 0, 1, 3, 9);
        assertThat(Calibration.thresholds(List.of(growing)).levels()).isEmpty();
    }

    @Test
    void aCounterThatIsAsBadBeforeTheKneeTellsNothing() {
        Curve mixed = fine(new double[] {100, 200, 210, 205}, 0, 5, 4, 9);
        assertThat(Calibration.thresholds(List.of(mixed)).levels()).isEmpty();
    }

    @Test
    void aDifferenceWithinTheCountersToleranceTellsNothing() {
        Curve close = memory(new double[] {40, 40, 12, 3}, 300, 102, 100, 99);
        assertThat(Calibration.thresholds(List.of(close)).levels()).isEmpty();
    }

    @Test
    void aCounterThatTheHostDoesNotHaveTellsNothing() {
        Curve figure3 = memory(new double[] {40, 40, 12, 3}, 300, 200, 80, 40);
        assertThat(Calibration.threshold(figure3, Counter.MEMORY_PRESSURE)).isEmpty();
    }

    @Test
    void aCounterThatRestsAtZeroCanRecover() {
        List<Step> steps = new ArrayList<>();
        double[] goodput = {40, 40, 12, 3};
        for (int i = 0; i < goodput.length; i++) {
            steps.add(step(i, goodput[i], new CounterSample(1000 * MIB, i < 2 ? 0 : 108, 0, 0, 0, 0)));
        }
        Thresholds found = Calibration.thresholds(List.of(new Curve(Experiment.MEMORY_INTENSIVE, steps)));
        assertThat(found).isEqualTo(Thresholds.of(new Threshold(Counter.PAGE_READS, 54, 27)));
        assertThat(found.isRecovered(steps.getFirst().counters())).isTrue();
    }

    @Test
    void theCountersOfAHostWhoseServerIsGoneDoNotCount() {
        List<Step> steps = new ArrayList<>(
                memory(new double[] {40, 40, 39, 12}, 300, 220, 135, 83).steps());
        steps.add(new Step(16, 0, 0, 1, 0.9, new CounterSample(450 * MIB, 0, 0, 0, 0, 0)));
        Curve killed = new Curve(Experiment.MEMORY_INTENSIVE, steps);
        assertThat(Calibration.thresholds(List.of(killed)))
                .isEqualTo(Thresholds.of(new Threshold(Counter.AVAILABLE_MEMORY, 109 * MIB, 122 * MIB)));
    }

    @Test
    void ratesOfBytesAreRoundedToWhatAPersonWouldWrite() {
        List<Step> steps = new ArrayList<>();
        double[] goodput = {100, 200, 210, 205};
        for (int i = 0; i < goodput.length; i++) {
            CounterSample sample = new CounterSample(1000 * MIB, 0, 0, 0, 61_000_000 * (i + 1), 0);
            steps.add(step(i, goodput[i], sample));
        }
        assertThat(Calibration.thresholds(List.of(new Curve(Experiment.COARSE_GRAIN, steps))))
                .isEqualTo(Thresholds.of(new Threshold(Counter.NETWORK, 146 * MIB, 130 * MIB)));
    }

    @Test
    void aLevelThatWouldHaveRelievedAServerThatBoreItsLoadIsDropped() {
        Curve figure1 = fine(new double[] {100, 200, 210, 205}, 0, 1, 3, 9);
        List<Step> busy = new ArrayList<>();
        for (Step step : memory(new double[] {40, 40, 40}, 300, 300, 300).steps()) {
            busy.add(new Step(
                    step.load(), step.goodput(), 10, 0, 0, step.counters().with(Counter.RUN_QUEUE_LENGTH, 6)));
        }
        Curve unharmed = new Curve(Experiment.MEMORY_INTENSIVE, busy);
        assertThat(Calibration.thresholds(List.of(figure1, unharmed)).levels()).isEmpty();
    }

    @Test
    void ofTwoExperimentsTheLessEagerLevelsStand() {
        Curve fine = cpu(Experiment.FINE_GRAIN, 0.3, 0.4, 0.6, 0.8);
        Curve coarse = cpu(Experiment.COARSE_GRAIN, 0.2, 0.5, 1, 1);
        assertThat(Calibration.thresholds(List.of(fine, coarse)))
                .isEqualTo(Thresholds.of(new Threshold(Counter.CPU_BUSY, 0.75, 0.62)));
    }

    @Test
    void aFigureShowsEveryCounterThatIsThereAndTheKnee() {
        String svg = CurveChart.svg(memory(new double[] {40, 40, 39, 12, 3}, 300, 220, 135, 83, 40));
        assertThat(svg)
                .startsWith("<svg ")
                .contains("Figure 3", "goodput", "available-memory", "page-reads", ">knee<")
                .doesNotContain("memory-pressure");
    }

    private static Curve memory(double[] goodput, double... mebibytes) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < goodput.length; i++) {
            steps.add(step(i, goodput[i], new CounterSample((long) (mebibytes[i] * MIB), 0, 0, 0, 0, 0)));
        }
        return new Curve(Experiment.MEMORY_INTENSIVE, steps);
    }

    private static Curve fine(double[] goodput, double... runQueue) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < goodput.length; i++) {
            steps.add(step(i, goodput[i], new CounterSample(1000 * MIB, 0, runQueue[i], 0.5, 0, 0)));
        }
        return new Curve(Experiment.FINE_GRAIN, steps);
    }

    private static Curve cpu(Experiment experiment, double... busy) {
        double[] goodput = {100, 200, 210, 205};
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < goodput.length; i++) {
            steps.add(step(i, goodput[i], new CounterSample(1000 * MIB, 0, 0, busy[i], 0, 0)));
        }
        return new Curve(experiment, steps);
    }

    private static Step step(int index, double goodput, CounterSample sample) {
        return new Step(1 << index, goodput, 10, 0, 0, sample);
    }
}
