// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import java.util.List;
import java.util.Locale;

/**
 * One run.
 *
 * @param variant who routed, and how
 * @param clients that asked at a time
 * @param round number of the run with this variant and these clients
 * @param goodput requests a second that were answered well and in time
 * @param p50Millis median latency of all answers
 * @param p99Millis 99th percentile
 * @param late answers that came too late to count
 * @param failed requests without a good answer
 */
record Cell(
        String variant,
        int clients,
        int round,
        double goodput,
        long p50Millis,
        long p99Millis,
        long late,
        long failed) {

    private static final String HEADER = "variant,clients,round,goodput_per_second,p50_ms,p99_ms,late,failed\n";

    /** All of them as comma-separated values. */
    static String csv(List<Cell> cells) {
        StringBuilder text = new StringBuilder(HEADER);
        cells.forEach(cell -> text.append(cell.line()).append('\n'));
        return text.toString();
    }

    private String line() {
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%.2f,%d,%d,%d,%d",
                variant,
                clients,
                round,
                goodput,
                p50Millis,
                p99Millis,
                late,
                failed);
    }
}
