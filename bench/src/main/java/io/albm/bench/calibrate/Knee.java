// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Finds where a curve turns: the last step before more load brings no more goodput, or latency turns up, or requests
 * fail, whichever is first.
 *
 * <ul>
 *   <li><b>Goodput stops growing</b> at a step if at no later one it has grown by a quarter of what the load has: twice
 *       the clients, less than 1.25 times the answers. One step of noise upwards does not count as growth for ever, and a
 *       dip before the end does not count as the end.
 *   <li><b>Goodput falls</b>, where it can only hold: at every later step below 0.6 of the best until then; holding more takes a
 *       little longer by itself.
 *   <li><b>Latency turns up</b>: at every later step the 99th percentile is above three times the median of the steps
 *       until then.
 *   <li><b>Requests fail</b>: more than one in twenty at the next step.
 * </ul>
 *
 * <p>Without such a step the load was too small to tell, and there is no knee. Pure.
 *
 * <p>Source: paper P1, section 3, which reads the knees off its figures 1 to 3.
 */
final class Knee {
    private static final double LEAST_GROWTH = 0.25;
    private static final double FALLEN = 0.6;
    private static final double TURNED_UP = 3;
    private static final double MOST_FAILED = 0.05;

    private final List<Step> steps;

    private Knee(List<Step> steps) {
        this.steps = steps;
    }

    /** Index of the last step before the curve turns. */
    static OptionalInt find(List<Step> steps, boolean goodputGrows) {
        Knee knee = new Knee(steps);
        IntPredicate goodput = goodputGrows ? knee::stopsGrowing : knee::falls;
        return IntStream.range(0, steps.size() - 1)
                .filter(i -> goodput.test(i) || knee.latencyTurnsUp(i) || knee.fails(i + 1))
                .findFirst();
    }

    private boolean stopsGrowing(int at) {
        Step here = steps.get(at);
        return later(at).allMatch(i -> {
            double moreLoad = (double) steps.get(i).load() / here.load() - 1;
            return steps.get(i).goodput() < here.goodput() * (1 + LEAST_GROWTH * moreLoad);
        });
    }

    private boolean falls(int at) {
        double best = IntStream.rangeClosed(0, at)
                .mapToDouble(i -> steps.get(i).goodput())
                .max()
                .orElseThrow();
        return later(at).allMatch(i -> steps.get(i).goodput() < FALLEN * best);
    }

    private boolean latencyTurnsUp(int at) {
        double usual = median(IntStream.rangeClosed(0, at)
                .mapToDouble(i -> steps.get(i).p99Micros())
                .toArray());
        return usual > 0 && later(at).allMatch(i -> steps.get(i).p99Micros() > TURNED_UP * usual);
    }

    private boolean fails(int at) {
        return steps.get(at).failedShare() > MOST_FAILED;
    }

    private IntStream later(int at) {
        return IntStream.range(at + 1, steps.size());
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
