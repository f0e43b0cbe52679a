// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.Table;
import java.util.Locale;
import java.util.SortedMap;

/** The statistics of distributors as a table: the columns of HAProxy's page that one reads first, in its order. */
final class StatsText {
    private static final long KIBI = 1 << 10;
    private static final String UNITS = "KMGTP";

    private StatsText() {}

    /** @param distributors their rows, by HAProxy's column names */
    static String of(SortedMap<String, JsonNode> distributors) {
        var text = new StringBuilder();
        distributors.forEach((id, rows) -> text.append(text.isEmpty() ? "" : "\n")
                .append(distributors.size() == 1 ? "" : "distributor " + id + "\n")
                .append(table(rows)));
        return text.toString();
    }

    private static String table(JsonNode rows) {
        Table table = Table.of(
                        "PROXY", "SERVER", "STATUS", "QUEUE", "QMAX", "CUR", "MAX", "LIMIT", "TOTAL", "RATE", "IN",
                        "OUT", "2XX", "4XX", "5XX", "ECON", "ERESP", "RETR", "REDIS", "CHK", "DWN")
                .right(3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
        rows.forEach(row -> table.row(
                cell(row, "pxname"),
                cell(row, "svname"),
                status(row),
                cell(row, "qcur"),
                cell(row, "qmax"),
                cell(row, "scur"),
                cell(row, "smax"),
                cell(row, "slim"),
                cell(row, "stot"),
                cell(row, "rate"),
                bytes(row, "bin"),
                bytes(row, "bout"),
                cell(row, "hrsp_2xx"),
                cell(row, "hrsp_4xx"),
                cell(row, "hrsp_5xx"),
                cell(row, "econ"),
                cell(row, "eresp"),
                cell(row, "wretr"),
                cell(row, "wredis"),
                cell(row, "chkfail"),
                cell(row, "chkdown")));
        return table.render(Ansi.stdout());
    }

    private static String cell(JsonNode row, String column) {
        return row.path(column).asText("");
    }

    /** HAProxy's word, and ours where it says more. */
    private static String status(JsonNode row) {
        String status = cell(row, "status");
        String ours = cell(row, "albm_state");
        return ours.startsWith(status.toLowerCase(Locale.ROOT)) || ours.isEmpty() ? status : status + " (" + ours + ")";
    }

    private static String bytes(JsonNode row, String column) {
        return row.has(column) ? bytes(row.path(column).asLong()) : "";
    }

    static String bytes(long bytes) {
        if (bytes < KIBI) {
            return Long.toString(bytes);
        }
        double shown = bytes;
        int unit = -1;
        while (shown >= KIBI && unit < UNITS.length() - 1) {
            shown /= KIBI;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f%c", shown, UNITS.charAt(unit));
    }
}
