// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Counts what became of requests. Confined to the load's event loop. */
final class Tally {
    private static final int EXAMPLES = 10;
    private static final long LONGEST_MICROS = 600_000_000L;

    private final Histogram latencyMicros = new Histogram(LONGEST_MICROS, 3);
    private final Map<FailureKind, Long> failures = new EnumMap<>(FailureKind.class);
    private final List<String> examples = new ArrayList<>();
    private long answered;
    private long bytes;

    void answered(long micros, long length) {
        latencyMicros.recordValue(Math.clamp(micros, 0, LONGEST_MICROS));
        answered++;
        bytes += length;
    }

    void failed(FailureKind kind, String path, String detail) {
        failures.merge(kind, 1L, Long::sum);
        if (examples.size() < EXAMPLES) {
            examples.add(kind + " " + path + ": " + detail);
        }
    }

    LoadReport report() {
        long failed = failures.values().stream().mapToLong(Long::longValue).sum();
        return new LoadReport(
                answered + failed,
                bytes,
                failures,
                examples,
                latencyMicros.getValueAtPercentile(50),
                latencyMicros.getValueAtPercentile(99),
                latencyMicros.getMaxValue());
    }
}
