// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import io.albm.core.cli.Ansi;
import io.albm.core.cli.Table;
import java.util.List;
import java.util.Locale;

/** All figures for the eye: a row for each layout and way to rebuild. */
record DurabilityTable(List<Durability> all) {
    private static final double LEAST_PLAIN = 0.001;

    String text() {
        Table table = Table.of(
                        "LAYOUT",
                        "SPACE",
                        "REBUILD",
                        "LOSS/YEAR",
                        "95 % INTERVAL",
                        "YEARS WITH LOSS",
                        "SEGMENTS LOST",
                        "REBUILD MEAN",
                        "P99",
                        "TRAFFIC")
                .right(1, 3, 4, 5, 6, 7, 8, 9);
        all.forEach(each -> table.row(
                each.scenario().layout().name(),
                text("%.2f", each.scenario().layout().spaceFactor()),
                each.scenario().mode().label(),
                probability(each.loss().mean()),
                probability(each.loss().low()) + " to "
                        + probability(each.loss().high()),
                each.biased()
                        ? "-"
                        : text(
                                "%.0f",
                                each.drawnLosses().mean() * each.drawnLosses().runs()),
                text("%.1f", each.segmentsPerLoss()),
                rebuilt(each, "%.2f h", each.rebuildMeanHours()),
                rebuilt(each, "%.2f h", each.rebuildP99Hours()),
                rebuilt(each, "%.2f TiB/d", each.rebuildTebibytesPerDay())));
        return table.render(Ansi.stderr());
    }

    private static String rebuilt(Durability each, String format, double value) {
        return each.scenario().layout().isRebuilt() ? text(format, value) : "-";
    }

    private static String probability(double value) {
        return text(value == 0 || value >= LEAST_PLAIN ? "%.4f" : "%.2e", value);
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
