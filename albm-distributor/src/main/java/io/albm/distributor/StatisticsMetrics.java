// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.metrics.Family;
import io.albm.distributor.stats.Column;
import io.albm.distributor.stats.Row;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The numbers of the statistics as meters, named like those of HAProxy's exporter:
 * {@code albm_backend_bytes_out_total{pool="docs",backend="cache-1"}}.
 */
final class StatisticsMetrics {
    private static final String CODE = "code";

    /** One column as a meter. */
    private record Meter(Column column, String name, String help) {}

    private static final List<Meter> METERS = List.of(
            new Meter(Column.SCUR, "current_sessions", "Connections of clients, or requests under way"),
            new Meter(Column.SMAX, "max_sessions", "The most sessions there ever were at once"),
            new Meter(Column.SLIM, "limit_sessions", "Sessions that there may be at once"),
            new Meter(Column.STOT, "sessions_total", "Sessions"),
            new Meter(Column.REQ_TOT, "http_requests_total", "Requests"),
            new Meter(Column.BIN, "bytes_in_total", "Bytes from clients"),
            new Meter(Column.BOUT, "bytes_out_total", "Bytes to clients"),
            new Meter(Column.QCUR, "current_queue", "Requests that wait for a backend"),
            new Meter(Column.QMAX, "max_queue", "The most requests that ever waited at once"),
            new Meter(Column.QLIMIT, "limit_queue", "Requests that may wait"),
            new Meter(Column.EREQ, "request_errors_total", "Requests refused because they were malformed or too slow"),
            new Meter(Column.ECON, "connection_errors_total", "Connections that could not be made"),
            new Meter(Column.ERESP, "response_errors_total", "Requests without a response, or with a broken one"),
            new Meter(Column.WRETR, "retry_warnings_total", "Requests sent again after an error"),
            new Meter(Column.WREDIS, "redispatch_warnings_total", "Requests sent again to another backend"),
            new Meter(Column.CLI_ABRT, "client_aborts_total", "Requests whose client went away"),
            new Meter(Column.SRV_ABRT, "server_aborts_total", "Responses that the backend did not end"),
            new Meter(Column.CHKFAIL, "check_failures_total", "Health checks that failed"),
            new Meter(Column.CHKDOWN, "check_up_down_total", "How often it went down or was ejected"),
            new Meter(Column.DOWNTIME, "downtime_seconds_total", "How long it was down in all"),
            new Meter(Column.LASTCHG, "last_change_seconds", "Since when it is up or down without a break"),
            new Meter(Column.ACT, "active_backends", "Backends that take requests"));

    private static final Map<Column, String> RESPONSES = responses();

    private StatisticsMetrics() {}

    private static Map<Column, String> responses() {
        var classes = new EnumMap<Column, String>(Column.class);
        classes.put(Column.HRSP_1XX, "1xx");
        classes.put(Column.HRSP_2XX, "2xx");
        classes.put(Column.HRSP_3XX, "3xx");
        classes.put(Column.HRSP_4XX, "4xx");
        classes.put(Column.HRSP_5XX, "5xx");
        classes.put(Column.HRSP_OTHER, "other");
        return classes;
    }

    static List<Family> of(List<Row> rows) {
        var families = new ArrayList<Family>();
        for (Row.Type type : Row.Type.values()) {
            List<Row> ofType = rows.stream().filter(row -> row.type() == type).toList();
            METERS.stream().map(meter -> family(meter, type, ofType)).forEach(families::add);
            families.add(responses(type, ofType));
        }
        return families;
    }

    private static String prefix(Row.Type type) {
        return type.name().toLowerCase(Locale.ROOT) + "_";
    }

    private static Family family(Meter meter, Row.Type type, List<Row> rows) {
        var values = new ArrayList<Family.Value>();
        rows.forEach(row -> add(values, tags(row), row.number(meter.column)));
        return new Family(prefix(type) + meter.name, meter.help, values);
    }

    private static Family responses(Row.Type type, List<Row> rows) {
        var values = new ArrayList<Family.Value>();
        rows.forEach(row -> RESPONSES.forEach((column, status) -> {
            SortedMap<String, String> tags = tags(row);
            tags.put(CODE, status);
            add(values, tags, row.number(column));
        }));
        return new Family(prefix(type) + "http_responses_total", "Responses, by class of status", values);
    }

    private static void add(List<Family.Value> values, SortedMap<String, String> tags, OptionalDouble value) {
        if (value.isPresent()) {
            values.add(new Family.Value(tags, value.getAsDouble()));
        }
    }

    private static SortedMap<String, String> tags(Row row) {
        var tags = new TreeMap<String, String>();
        switch (row.type()) {
            case FRONTEND -> tags.put("frontend", row.text(Column.PXNAME));
            case POOL -> tags.put("pool", row.text(Column.PXNAME));
            case BACKEND -> {
                tags.put("pool", row.text(Column.PXNAME));
                tags.put("backend", row.text(Column.SVNAME));
            }
        }
        return tags;
    }
}
