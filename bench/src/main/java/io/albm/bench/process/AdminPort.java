// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.process;

import io.albm.core.node.NodeAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads a process's metrics. */
public final class AdminPort {
    private static final int TIMEOUT_MILLIS = 5_000;

    private AdminPort() {}

    /** The sum of a counter or gauge over its tags; 0 if the process has none of that name. */
    public static double counter(NodeAddress admin, String name) throws IOException {
        return values(admin).getOrDefault(name, 0.0);
    }

    /** Every counter and gauge by its name, summed over its tags. */
    public static Map<String, Double> values(NodeAddress admin) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://" + admin + "/metrics").toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .collect(Collectors.toMap(AdminPort::name, AdminPort::value, Double::sum));
        }
    }

    /** Lines are {@code name value} or {@code name{tags} value}. */
    private static String name(String line) {
        int tags = line.indexOf('{');
        return line.substring(0, tags < 0 ? line.indexOf(' ') : tags);
    }

    private static double value(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }
}
