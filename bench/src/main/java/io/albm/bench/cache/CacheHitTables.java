// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import io.albm.core.cli.Ansi;
import io.albm.core.cli.Table;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Hit ratios for the eye: a table per cache size and mode, policies down, windows across. */
record CacheHitTables(HitRatios ratios) {

    String text() {
        StringBuilder text = new StringBuilder();
        Set<String> modes = new LinkedHashSet<>();
        ratios.objects().keySet().forEach(cell -> modes.add(cell.mode()));
        for (String mode : modes) {
            CacheSize.ALL.forEach(size -> text.append(table(size, mode)).append('\n'));
        }
        return text.toString();
    }

    private String table(CacheSize size, String mode) {
        List<String> head = new ArrayList<>(List.of((mode + " " + size.label()).toUpperCase(Locale.ROOT)));
        for (int window : CacheGrid.WINDOWS) {
            head.add("W=" + window);
        }
        Table table = Table.of(head.toArray(String[]::new)).right(1, 2, 3, 4, 5, 6);
        ratios.objects().keySet().stream()
                .filter(cell -> cell.size().equals(size) && cell.mode().equals(mode))
                .map(Cell::policy)
                .distinct()
                .forEach(policy -> table.row((Object[]) row(policy, size, mode)));
        return table.render(Ansi.stderr());
    }

    private String[] row(String policy, CacheSize size, String mode) {
        List<String> row = new ArrayList<>(List.of(policy));
        for (int window : CacheGrid.WINDOWS) {
            Cell cell = new Cell(policy, size, window, mode);
            row.add(String.format(
                    Locale.ROOT,
                    "%.3f %.3f",
                    ratios.objects(cell),
                    ratios.bytes().getOrDefault(cell, Double.NaN)));
        }
        return row.toArray(String[]::new);
    }
}
