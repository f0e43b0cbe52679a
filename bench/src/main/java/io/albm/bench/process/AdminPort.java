// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.process;

import io.albm.core.node.NodeAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Reads a process's metrics. */
public final class AdminPort {
    private static final int TIMEOUT_MILLIS = 5_000;

    private AdminPort() {}

    /** The sum of a counter or gauge over its tags; 0 if the process has none of that name. */
    public static double counter(NodeAddress admin, String name) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://" + admin + "/metrics").toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }
    }
}
