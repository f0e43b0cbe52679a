// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Text in columns: two spaces between them, numbers to the right, no lines drawn, so that it can be cut and sorted.
 *
 * <p>For one thread.
 */
public final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final Set<Integer> rightAligned = new HashSet<>();
    private final int columns;

    private Table(List<String> header) {
        columns = header.size();
        rows.add(header);
    }

    /** An empty table. */
    public static Table of(String... header) {
        return new Table(List.of(header));
    }

    /** Puts the text of these columns (from 0) to the right. */
    public Table right(int... alignedColumns) {
        Arrays.stream(alignedColumns).forEach(rightAligned::add);
        return this;
    }

    /** Adds a row with one cell for each column. */
    public Table row(Object... cells) {
        if (cells.length != columns) {
            throw new IllegalArgumentException(cells.length + " cells in a table of " + columns + " columns");
        }
        rows.add(Arrays.stream(cells).map(String::valueOf).map(Ansi::harmless).toList());
        return this;
    }

    /** All lines, each ended. */
    public String render(Ansi ansi) {
        int[] widths = widths();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            String line = line(rows.get(i), widths);
            text.append(i == 0 ? ansi.bold(line) : line).append('\n');
        }
        return text.toString();
    }

    private int[] widths() {
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int column = 0; column < columns; column++) {
                widths[column] = Math.max(widths[column], width(row.get(column)));
            }
        }
        return widths;
    }

    private String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < columns; column++) {
            String cell = row.get(column);
            String padding = " ".repeat(widths[column] - width(cell));
            line.append(column == 0 ? "" : GAP).append(rightAligned.contains(column) ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }

    private static int width(String cell) {
        String plain = Ansi.plain(cell);
        return plain.codePointCount(0, plain.length());
    }
}
