// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.node.OrcaReport;
import java.nio.charset.StandardCharsets;

/** The header line with the load report, made once for many replies; empty until the first report. Thread-safe. */
final class LoadLine {
    private volatile byte[] line = {};

    void report(OrcaReport load) {
        line = (OrcaReport.HEADER + ": " + load.text() + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    byte[] line() {
        return line;
    }
}
