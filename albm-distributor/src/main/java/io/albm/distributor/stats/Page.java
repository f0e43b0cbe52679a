// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.stats;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * The statistics as a page that a HAProxy user recognises: a table for each frontend and pool, its columns and colours
 * those of HAProxy's. One document without a script; it asks for itself again every {@value #REFRESH_SECONDS} s.
 */
public final class Page {
    private static final int REFRESH_SECONDS = 5;
    private static final String NEVER = "?";

    private static final String STYLE = """
            body { font: 12px arial, helvetica, sans-serif; color: black; background: white; }
            h1 { font-size: x-large; margin-bottom: 0.3em; }
            h2 { font: bold italic x-large helvetica, arial; color: #6020a0; margin: 0; }
            table { border-collapse: collapse; margin-bottom: 1.5em; }
            th, td { font-size: 10px; border: 1px solid gray; padding: 2px 3px; white-space: nowrap; }
            td { text-align: right; }
            td.ac { text-align: center; }
            th { background: #20d0d0; }
            th.px { background: #b00040; color: #ffff40; font-size: 12px; }
            th.none { background: none; border: none; }
            .legend td { border: none; text-align: left; padding-right: 1em; }
            .frontend, .pool { background: #e8e8d0; }
            .up { background: #c0ffc0; }
            .down { background: #ff9090; }
            .starting { background: #ffd020; }
            .nolb, .draining { background: #20a0ff; }
            .no_check { background: #e0e0e0; }
            .maint { background: #c07820; }
            .panic { background: #ff80ff; }
            @media (prefers-color-scheme: dark) {
              body { color: #e8e6e3; background: #131516; }
              h2 { color: #a265e0; }
              th { background: #1aa6a6; }
              th.px { background: #8d0033; }
              .frontend, .pool { background: #2f3437; }
              .up { background: #165900; }
              .down { background: #760000; }
              .starting { background: #b99200; }
              .nolb, .draining { background: #006ab9; }
              .no_check { background: #2a2d2f; }
              .maint { background: #9a601a; }
              .panic { background: #7f007f; }
            }
            """;

    private static final Map<String, String> LEGEND = legend();

    /** A column of the page. */
    private record Cell(String group, String title, BiFunction<Row, Column, String> text, Column column) {
        String of(Row row) {
            return text.apply(row, column);
        }
    }

    private static final List<Cell> CELLS = List.of(
            number("Queue", "Cur", Column.QCUR),
            number("Queue", "Max", Column.QMAX),
            number("Queue", "Limit", Column.QLIMIT),
            number("Session rate", "Cur", Column.RATE),
            number("Session rate", "Max", Column.RATE_MAX),
            number("Session rate", "Limit", Column.RATE_LIM),
            number("Sessions", "Cur", Column.SCUR),
            number("Sessions", "Max", Column.SMAX),
            number("Sessions", "Limit", Column.SLIM),
            number("Sessions", "Total", Column.STOT),
            number("Sessions", "LbTot", Column.LBTOT),
            new Cell("Sessions", "Last", Page::age, Column.LASTSESS),
            number("Bytes", "In", Column.BIN),
            number("Bytes", "Out", Column.BOUT),
            number("Denied", "Req", Column.DREQ),
            number("Denied", "Resp", Column.DRESP),
            number("Errors", "Req", Column.EREQ),
            number("Errors", "Conn", Column.ECON),
            number("Errors", "Resp", Column.ERESP),
            number("Warnings", "Retr", Column.WRETR),
            number("Warnings", "Redis", Column.WREDIS),
            new Cell("Server", "Status", Page::status, Column.STATUS),
            new Cell("Server", "LastChk", Page::lastCheck, Column.LAST_CHK),
            number("Server", "Wght", Column.WEIGHT),
            number("Server", "Act", Column.ACT),
            number("Server", "Bck", Column.BCK),
            number("Server", "Chk", Column.CHKFAIL),
            number("Server", "Dwn", Column.CHKDOWN),
            new Cell("Server", "Dwntme", Page::age, Column.DOWNTIME),
            new Cell("Server", "Thrtle", Page::percent, Column.THROTTLE));

    private Page() {}

    private static Map<String, String> legend() {
        var legend = new LinkedHashMap<String, String>();
        legend.put("up", "UP");
        legend.put("starting", "UP, slow start");
        legend.put("nolb", "NOLB: relieved, its host is short of something");
        legend.put("draining", "DRAIN");
        legend.put("down", "DOWN, or ejected because requests fail");
        legend.put("no_check", "not checked yet");
        legend.put("panic", "UP in panic: too few others can serve");
        return legend;
    }

    /**
     * The page.
     *
     * @param who the process, for the title
     * @param uptimeSeconds of the process
     * @param rows frontends and pools, each pool's backends before the pool itself
     */
    public static String of(String who, long uptimeSeconds, List<Row> rows) {
        var page = new StringBuilder();
        page.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>Statistics of ")
                .append(escaped(who))
                .append("</title>\n<meta http-equiv=\"refresh\" content=\"")
                .append(REFRESH_SECONDS)
                .append("\">\n<style>\n")
                .append(STYLE)
                .append("</style></head>\n<body><h1>ALBM distributor</h1>\n<h2>Statistics Report for ")
                .append(escaped(who))
                .append("</h2>\n<p>uptime ")
                .append(duration(uptimeSeconds))
                .append(
                        " &middot; <a href=\"/stats\">refresh now</a> &middot; <a href=\"/stats;csv\">CSV</a> &middot; ")
                .append("<a href=\"/stats;json\">JSON</a></p>\n<table class=\"legend\"><tr>");
        LEGEND.forEach((style, meaning) -> page.append("<td class=\"")
                .append(style)
                .append("\">&nbsp;</td><td>")
                .append(meaning)
                .append("</td>"));
        page.append("</tr></table>\n");
        rows.stream()
                .collect(Collectors.groupingBy(Page::table, LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(table -> append(page, table));
        return page.append("</body></html>\n").toString();
    }

    /** A frontend and a pool may have the same name. */
    private static String table(Row row) {
        return (row.type() == Row.Type.FRONTEND) + row.text(Column.PXNAME);
    }

    private static void append(StringBuilder page, List<Row> table) {
        page.append("<table><tr><th class=\"px\">")
                .append(escaped(table.getFirst().text(Column.PXNAME)))
                .append("</th><th class=\"none\" colspan=\"")
                .append(CELLS.size())
                .append("\"></th></tr>\n<tr><th rowspan=\"2\"></th>");
        CELLS.stream()
                .collect(Collectors.groupingBy(Cell::group, LinkedHashMap::new, Collectors.counting()))
                .forEach((group, width) -> page.append("<th colspan=\"")
                        .append(width)
                        .append("\">")
                        .append(group)
                        .append("</th>"));
        page.append("</tr>\n<tr>");
        CELLS.forEach(cell -> page.append("<th>").append(cell.title).append("</th>"));
        page.append("</tr>\n");
        table.forEach(row -> append(page, row));
        page.append("</table>\n");
    }

    private static void append(StringBuilder page, Row row) {
        page.append("<tr class=\"")
                .append(style(row))
                .append("\" title=\"")
                .append(escaped(row.text(Column.ALBM_REASON)))
                .append("\"><td class=\"ac\">")
                .append(escaped(name(row)))
                .append("</td>");
        CELLS.forEach(cell -> page.append("<td>").append(escaped(cell.of(row))).append("</td>"));
        page.append("</tr>\n");
    }

    private static String name(Row row) {
        return switch (row.type()) {
            case FRONTEND -> "Frontend";
            case POOL -> "Backend";
            case BACKEND -> row.text(Column.SVNAME);
        };
    }

    private static String style(Row row) {
        return switch (row.type()) {
            case FRONTEND -> "frontend";
            case POOL -> "pool";
            case BACKEND ->
                switch (row.text(Column.ALBM_STATE)) {
                    case "starting" -> "starting";
                    case "relieved" -> "nolb";
                    case "draining" -> "draining";
                    case "down", "ejected" -> "down";
                    case "unproven" -> "no_check";
                    case "panic" -> "panic";
                    default -> "up";
                };
        };
    }

    private static Cell number(String group, String title, Column column) {
        return new Cell(group, title, Page::grouped, column);
    }

    private static String grouped(Row row, Column column) {
        OptionalDouble number = row.number(column);
        return number.isPresent() ? String.format(Locale.ROOT, "%,.0f", number.getAsDouble()) : row.text(column);
    }

    private static String percent(Row row, Column column) {
        return row.number(column).isPresent() ? row.text(column) + "%" : "";
    }

    private static String age(Row row, Column column) {
        OptionalDouble seconds = row.number(column);
        return seconds.isEmpty() ? "" : seconds.getAsDouble() < 0 ? NEVER : duration((long) seconds.getAsDouble());
    }

    private static String status(Row row, Column column) {
        String ours = row.text(Column.ALBM_STATE);
        String status = row.text(column);
        String since = age(row, Column.LASTCHG);
        return (since.isEmpty() ? "" : since + " ")
                + status
                + (row.type() == Row.Type.BACKEND && !ours.startsWith(status.toLowerCase(Locale.ROOT))
                        ? " (" + ours + ")"
                        : "");
    }

    private static String lastCheck(Row row, Column column) {
        String status = row.text(Column.CHECK_STATUS);
        String took = row.text(Column.CHECK_DURATION);
        return status.isEmpty() ? "" : status + (took.isEmpty() ? "" : " in " + took + "ms");
    }

    /** As HAProxy says it: the two largest units. */
    static String duration(long seconds) {
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + "m" + seconds % 60 + "s";
        }
        if (seconds < 86_400) {
            return seconds / 3_600 + "h" + seconds / 60 % 60 + "m";
        }
        return seconds / 86_400 + "d" + seconds / 3_600 % 24 + "h";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
