// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import io.albm.core.cli.Ansi;
import io.albm.core.cli.Table;
import io.albm.core.config.CounterUnits;
import io.albm.core.config.ThresholdSettings;
import io.albm.core.node.Counter;
import io.albm.core.node.Threshold;
import io.albm.core.node.Thresholds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** What came of a calibration, for people, programs, and as figures. */
record CalibrationReport(String backend, String host, List<Curve> curves, Thresholds thresholds) {
    private static final double MICROS_PER_MILLI = 1e3;

    /** One figure for each experiment. */
    List<Path> draw(Path directory) throws IOException {
        Files.createDirectories(directory);
        List<Path> figures = new ArrayList<>();
        for (Curve curve : curves) {
            Path file = directory.resolve(curve.experiment().title() + ".svg");
            figures.add(Files.writeString(file, CurveChart.svg(curve)));
        }
        return figures;
    }

    /** The steps, where each experiment turned, and the thresholds. */
    String text(Ansi ansi) {
        StringBuilder text = new StringBuilder();
        curves.forEach(curve -> text.append(curve.experiment().figure())
                .append('\n')
                .append(table(curve).render(ansi))
                .append(verdict(curve))
                .append("\n\n"));
        return text.append(thresholdTable().render(ansi)).toString();
    }

    private static Table table(Curve curve) {
        List<Counter> counters = curve.experiment().counters();
        List<String> head = new ArrayList<>(
                List.of(curve.experiment().load().toUpperCase(Locale.ROOT), "GOODPUT/s", "P99 ms", "FAILED"));
        counters.forEach(counter -> head.add(counter.label().toUpperCase(Locale.ROOT)));
        head.add("");
        Table table = Table.of(head.toArray(String[]::new))
                .right(IntStream.range(0, head.size() - 1).toArray());
        for (int i = 0; i < curve.steps().size(); i++) {
            Step step = curve.steps().get(i);
            List<Object> row = new ArrayList<>(List.of(
                    step.load(),
                    "%.0f".formatted(step.goodput()),
                    "%.1f".formatted(step.p99Micros() / MICROS_PER_MILLI),
                    "%.1f %%".formatted(step.failedShare() * 100)));
            counters.forEach(counter ->
                    row.add(CounterUnits.rounded(counter, step.counters().value(counter))));
            row.add(curve.knee().equals(OptionalInt.of(i)) ? "<- knee" : "");
            table.row(row.toArray());
        }
        return table;
    }

    private static String verdict(Curve curve) {
        OptionalInt knee = curve.knee();
        return knee.isEmpty()
                ? "no knee: the server bore every step; --max-clients or --max-mb loads it more"
                : "knee at %d %s"
                        .formatted(
                                curve.steps().get(knee.getAsInt()).load(),
                                curve.experiment().load());
    }

    private Table thresholdTable() {
        Table table = Table.of("THRESHOLD", "RELIEVE", "RECOVER").right(1, 2);
        for (Threshold threshold : thresholds.levels()) {
            Counter counter = threshold.counter();
            table.row(
                    counter.label(),
                    CounterUnits.text(counter, threshold.relieve()),
                    CounterUnits.text(counter, threshold.recover()));
        }
        return table;
    }

    /** For programs. */
    Map<String, Object> json() {
        return Map.of(
                "backend", backend,
                "host", host,
                "experiments", curves.stream().map(CalibrationReport::json).toList(),
                "thresholds", thresholds.levels(),
                "settings", ThresholdSettings.settings(thresholds));
    }

    private static Map<String, Object> json(Curve curve) {
        OptionalInt knee = curve.knee();
        return Map.of(
                "name",
                curve.experiment().title(),
                "steps",
                curve.steps(),
                "knee",
                knee.isEmpty() ? Map.of() : curve.steps().get(knee.getAsInt()));
    }
}
