// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

import io.albm.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A run's outcome for programs, spreadsheets and eyes: {@code result.json}, {@code windows.csv}, {@code chart.svg}. */
record InterferenceReport(ExperimentSettings settings, Findings findings, List<WindowPair> pairs) {
    private static final String CSV_HEADER =
            "pair,disturbance,disturbed,count_millis,file_refaults_per_second,major_faults_per_second,"
                    + "stress_processors,working_set_bytes\n";

    static InterferenceReport of(ExperimentSettings settings, List<WindowPair> pairs) {
        return new InterferenceReport(settings, Findings.of(pairs), List.copyOf(pairs));
    }

    /** Writes the three files. */
    void write(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("result.json"), Json.pretty(this) + "\n");
        Files.writeString(directory.resolve("windows.csv"), csv());
        Files.writeString(directory.resolve("chart.svg"), IncreaseChart.svg(findings));
    }

    /** Every window, a line each. */
    String csv() {
        StringBuilder csv = new StringBuilder(CSV_HEADER);
        for (int i = 0; i < pairs.size(); i++) {
            WindowPair pair = pairs.get(i);
            csv.append(line(i + 1, pair, false, pair.undisturbed()));
            csv.append(line(i + 1, pair, true, pair.disturbed()));
        }
        return csv.toString();
    }

    private static String line(int number, WindowPair pair, boolean disturbed, Window window) {
        return String.format(
                Locale.ROOT,
                "%d,%s,%b,%.3f,%.1f,%.1f,%.3f,%d%n",
                number,
                pair.disturbance().id(),
                disturbed,
                window.countMillis(),
                window.fileRefaultsPerSecond(),
                window.majorFaultsPerSecond(),
                window.stressProcessors(),
                window.workingSetBytes());
    }
}
