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
        return rows.stream().map(Csv::line).collect(Collectors.joining("", HEADER, ""));
    }

    private static String line(Row row) {
        return Arrays.stream(Column.values())
                .map(column -> plain(row.text(column)))
                .collect(Collectors.joining(",", "", ",\n"));
    }

    /** Without what needs quotes: scripts that cut at commas are as common as readers of CSV. */
    private static String plain(String cell) {
        return cell.replace(',', ';').replace('"', '\'').replace('\n', ' ').replace('\r', ' ');
    }
}
