// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.stats;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** HAProxy's CSV: a header line that begins with {@code # }, a comma behind every cell, the last one included. */
public final class Csv {
    private static final String HEADER =
            Arrays.stream(Column.values()).map(Column::header).collect(Collectors.joining(",", "# ", ",\n"));

    private Csv() {}

    public static String of(List<Row> rows) {
        return rows.stream().map(Csv::line).collect(Collectors.joining("", HEADER, "\n"));
    }

    private static String line(Row row) {
        return Arrays.stream(Column.values())
                .map(column -> escaped(row.text(column)))
                .collect(Collectors.joining(",", "", ",\n"));
    }

    /** As RFC 4180 says and HAProxy does; a line break would end the row for most readers. */
    private static String escaped(String cell) {
        String line = cell.replace('\n', ' ').replace('\r', ' ');
        return line.contains(",") || line.contains("\"") ? '"' + line.replace("\"", "\"\"") + '"' : line;
    }
}
