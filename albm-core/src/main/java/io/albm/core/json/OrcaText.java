// SPDX-License-Identifier: Apache-2.0
package io.albm.core.json;

import io.albm.core.node.OrcaReport;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads the load reports that servers send in their responses' headers. */
public final class OrcaText {
    private static final Set<String> NAMES =
            Set.of("cpu_utilization", "mem_utilization", "application_utilization", "rps_fractional", "eps");

    private static final String TEXT = "TEXT ";
    private static final String JSON = "JSON ";

    private OrcaText() {}

    /**
     * Reads the header's value, in either of its readable formats: {@code TEXT} with names and values, {@code JSON} with the
     * fields of {@code xds.data.orca.v3.OrcaLoadReport}, in snake or camel case. Names that are not known are ignored, and
     * so are metrics that a server names itself.
     *
     * @throws IllegalArgumentException if it is in neither, or a value is no number of 0 and more
     */
    public static OrcaReport parse(String header) {
        if (header.startsWith(TEXT)) {
            return of(textFields(header.substring(TEXT.length())));
        }
        if (header.startsWith(JSON)) {
            return of(jsonFields(header.substring(JSON.length())));
        }
        throw new IllegalArgumentException("load report: expected TEXT or JSON and a space first");
    }

    private static OrcaReport of(Map<String, Double> fields) {
        return new OrcaReport(
                number(fields, "cpu_utilization"),
                number(fields, "mem_utilization"),
                number(fields, "application_utilization"),
                number(fields, "rps_fractional"),
                number(fields, "eps"));
    }

    private static double number(Map<String, Double> fields, String name) {
        double value = fields.getOrDefault(name, Double.NaN);
        if (value < 0 || Double.isInfinite(value)) {
            throw new IllegalArgumentException("load report: " + name + ": expected a number of 0 and more");
        }
        return value;
    }

    private static Map<String, Double> textFields(String text) {
        Map<String, Double> fields = new LinkedHashMap<>();
        for (String field : text.split(",", -1)) {
            int equals = field.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("load report: expected name=value with commas between");
            }
            fields.put(field.substring(0, equals).strip(), finite(field.substring(equals + 1)));
        }
        return fields;
    }

    private static double finite(String text) {
        double value = Double.parseDouble(text.strip());
        if (Double.isNaN(value)) {
            throw new IllegalArgumentException("load report: expected numbers");
        }
        return value;
    }

    private static Map<String, Double> jsonFields(String json) {
        Map<String, Double> fields = new LinkedHashMap<>();
        try {
            Json.tree(json).properties().forEach(field -> {
                if (field.getValue().isNumber()) {
                    fields.put(snakeCase(field.getKey()), field.getValue().doubleValue());
                } else if (NAMES.contains(snakeCase(field.getKey()))) {
                    throw new IllegalArgumentException("load report: " + field.getKey() + ": expected a number");
                }
            });
        } catch (JsonException e) {
            throw new IllegalArgumentException("load report: expected JSON", e);
        }
        return fields;
    }

    private static String snakeCase(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
