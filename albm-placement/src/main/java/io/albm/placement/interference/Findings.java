// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What the pairs say: for each disturbance how much longer a count took, against the band within which undisturbed
 * counts vary by themselves. Pure.
 *
 * @param noisePercent the largest distance of an undisturbed window from the median one, in percent of it
 * @param rows one for each disturbance that was measured, in the order of {@link Disturbance}
 */
public record Findings(double noisePercent, List<Row> rows) {
    public Findings {
        rows = List.copyOf(rows);
    }

    /**
     * One disturbance.
     *
     * @param increasePercent median of its pairs
     * @param lowestPercent of its pairs
     * @param highestPercent of its pairs
     * @param fileRefaultsPerSecond median of its disturbed windows
     * @param stressProcessors median of its disturbed windows
     * @param beyondNoise whether the median increase lies outside of the noise band
     */
    public record Row(
            Disturbance disturbance,
            double increasePercent,
            double lowestPercent,
            double highestPercent,
            double fileRefaultsPerSecond,
            double stressProcessors,
            boolean beyondNoise) {}

    /** Draws the findings from at least one pair. */
    public static Findings of(List<WindowPair> pairs) {
        double noise = noisePercent(pairs);
        return new Findings(
                noise,
                Arrays.stream(Disturbance.values())
                        .map(kind -> pairs.stream()
                                .filter(pair -> pair.disturbance() == kind)
                                .toList())
                        .filter(ofKind -> !ofKind.isEmpty())
                        .map(ofKind -> row(ofKind, noise))
                        .toList());
    }

    private static double noisePercent(List<WindowPair> pairs) {
        double middle = median(pairs, pair -> pair.undisturbed().countMillis());
        return pairs.stream()
                .mapToDouble(pair -> Math.abs(pair.undisturbed().countMillis() / middle - 1) * 100)
                .max()
                .orElseThrow();
    }

    private static Row row(List<WindowPair> pairs, double noise) {
        double increase = median(pairs, WindowPair::increasePercent);
        double[] sorted = sorted(pairs, WindowPair::increasePercent);
        return new Row(
                pairs.getFirst().disturbance(),
                increase,
                sorted[0],
                sorted[sorted.length - 1],
                median(pairs, pair -> pair.disturbed().fileRefaultsPerSecond()),
                median(pairs, pair -> pair.disturbed().stressProcessors()),
                Math.abs(increase) > noise);
    }

    private static double median(List<WindowPair> pairs, ToDoubleFunction<WindowPair> value) {
        double[] sorted = sorted(pairs, value);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static double[] sorted(List<WindowPair> pairs, ToDoubleFunction<WindowPair> value) {
        return pairs.stream().mapToDouble(value).sorted().toArray();
    }
}
