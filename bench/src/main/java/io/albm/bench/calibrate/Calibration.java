// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import io.albm.core.node.Counter;
import io.albm.core.node.Counter.Direction;
import io.albm.core.node.CounterSample;
import io.albm.core.node.Threshold;
import io.albm.core.node.Thresholds;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;

/**
 * Makes thresholds of curves. A counter gets one from an experiment if it tells the steps that the server bore from those
 * that it did not: its worst value before the knee and its best value after it lie apart by more than its tolerance, on
 * the right sides. Relieve is half way between the two, recover a quarter of the way: not the value before the knee
 * itself, for a counter that rests at zero could never be better.
 *
 * <p>A counter that two experiments give levels for gets the less eager ones, and one whose level would have relieved a
 * server that bore its load in another experiment gets none: it does not tell, it follows. Pure.
 */
final class Calibration {
    private static final double KIB = 1 << 10;
    private static final double MIB = 1 << 20;
    private static final int FEW = 16;
    private static final int DIGITS = 2;

    private Calibration() {}

    static Thresholds thresholds(List<Curve> curves) {
        List<Threshold> found = new ArrayList<>();
        for (Counter counter : Counter.values()) {
            curves.stream()
                    .filter(curve -> curve.experiment().counters().contains(counter))
                    .flatMap(curve -> threshold(curve, counter).stream())
                    .reduce(Calibration::lessEager)
                    .filter(threshold -> noneBorneIsShort(threshold, curves))
                    .ifPresent(found::add);
        }
        return new Thresholds(found);
    }

    /** The threshold that one experiment shows for one counter, if it shows any. */
    static Optional<Threshold> threshold(Curve curve, Counter counter) {
        OptionalInt knee = curve.knee();
        if (knee.isEmpty() || !everywhere(curve, counter)) {
            return Optional.empty();
        }
        int split = knee.getAsInt() + 1;
        List<Double> borne = values(curve.steps().subList(0, split), counter);
        List<Double> past =
                values(alive(curve.steps().subList(split, curve.steps().size())), counter);
        if (past.isEmpty()) {
            return Optional.empty();
        }
        boolean lowIsBad = counter.direction() == Direction.LOW_IS_BAD;
        double worst = lowIsBad ? Collections.min(borne) : Collections.max(borne);
        double best = lowIsBad ? Collections.max(past) : Collections.min(past);
        boolean apart = lowIsBad ? best < worst : best > worst;
        return apart && counter.tolerance().isLeft(worst, best)
                ? Optional.of(rounded(counter, (worst + best) / 2, (3 * worst + best) / 4))
                : Optional.empty();
    }

    private static List<Step> alive(List<Step> steps) {
        return steps.stream().filter(step -> !step.isGone()).toList();
    }

    private static boolean everywhere(Curve curve, Counter counter) {
        return curve.steps().stream().map(Step::counters).allMatch(sample -> sample.has(counter));
    }

    private static List<Double> values(List<Step> steps, Counter counter) {
        return steps.stream().map(step -> step.counters().value(counter)).toList();
    }

    private static Threshold lessEager(Threshold a, Threshold b) {
        ToDoubleFunction<Threshold> eagerness =
                a.counter().direction() == Direction.LOW_IS_BAD ? Threshold::relieve : level -> -level.relieve();
        return eagerness.applyAsDouble(a) < eagerness.applyAsDouble(b) ? a : b;
    }

    private static boolean noneBorneIsShort(Threshold threshold, List<Curve> curves) {
        return curves.stream().flatMap(curve -> borne(curve).stream()).noneMatch(threshold::isShort);
    }

    private static List<CounterSample> borne(Curve curve) {
        int end = curve.knee().orElse(curve.steps().size() - 1) + 1;
        return curve.steps().subList(0, end).stream().map(Step::counters).toList();
    }

    /** To figures that a person would write, each away from the other. */
    private static Threshold rounded(Counter counter, double relieve, double recover) {
        return switch (counter.direction()) {
            case LOW_IS_BAD ->
                new Threshold(counter, down(counter, relieve), Math.max(up(counter, recover), down(counter, relieve)));
            case HIGH_IS_BAD ->
                new Threshold(counter, up(counter, relieve), Math.min(down(counter, recover), up(counter, relieve)));
        };
    }

    private static double down(Counter counter, double value) {
        return round(counter, value, RoundingMode.FLOOR);
    }

    private static double up(Counter counter, double value) {
        double rounded = round(counter, value, RoundingMode.CEILING);
        return counter.admits(rounded) ? rounded : value;
    }

    private static double round(Counter counter, double value, RoundingMode mode) {
        return switch (counter.unit()) {
            case BYTES, BYTES_PER_SECOND -> toWhole(value < FEW * MIB ? KIB : MIB, value, mode);
            case FRACTION, PER_SECOND, COUNT ->
                BigDecimal.valueOf(value).round(new MathContext(DIGITS, mode)).doubleValue();
        };
    }

    private static double toWhole(double unit, double value, RoundingMode mode) {
        return unit * (mode == RoundingMode.FLOOR ? Math.floor(value / unit) : Math.ceil(value / unit));
    }
}
