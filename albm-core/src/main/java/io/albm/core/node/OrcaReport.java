// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A load report as ORCA defines it, for balancers such as Envoy and gRPC. A value that is NaN is left out. Only the names
 * that Envoy's parser knows are used: one that it does not know makes it drop the whole report.
 *
 * @param cpuUtilization 0 to 1
 * @param memoryUtilization 0 to 1
 * @param applicationUtilization 0 (idle) to 1 (at its limit), of whatever is tightest; balancers take it before the others
 * @param requestsPerSecond answered
 * @param errorsPerSecond of those, answered with an error of the server
 */
public record OrcaReport(
        double cpuUtilization,
        double memoryUtilization,
        double applicationUtilization,
        double requestsPerSecond,
        double errorsPerSecond) {
    /** The response header. */
    public static final String HEADER = "endpoint-load-metrics";

    /** The header's value: {@code TEXT cpu_utilization=0.300,…}. */
    public String text() {
        return fields().entrySet().stream()
                .map(field -> field.getKey() + "=" + String.format(Locale.ROOT, "%.3f", field.getValue()))
                .collect(Collectors.joining(",", "TEXT ", ""));
    }

    /** The values by Envoy's names, in a fixed order. */
    public Map<String, Double> fields() {
        Map<String, Double> fields = new LinkedHashMap<>();
        put(fields, "cpu_utilization", cpuUtilization);
        put(fields, "mem_utilization", memoryUtilization);
        put(fields, "application_utilization", applicationUtilization);
        put(fields, "rps_fractional", requestsPerSecond);
        put(fields, "eps", errorsPerSecond);
        return fields;
    }

    private static void put(Map<String, Double> fields, String name, double value) {
        if (!Double.isNaN(value)) {
            fields.put(name, value);
        }
    }
}
