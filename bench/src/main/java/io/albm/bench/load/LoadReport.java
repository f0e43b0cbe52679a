// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import java.util.List;
import java.util.Map;

/**
 * What a load has seen so far. Latencies count from the moment at which a request was due, so that a stalled server
 * cannot hide the requests that it held up (coordinated omission).
 *
 * @param requests that were answered or failed
 * @param bytes of bodies that were right
 * @param failures of requests, by kind; kinds without failures are left out
 * @param examples of failures, the first few
 * @param p50Micros median latency of answered requests
 * @param p99Micros 99th percentile
 * @param maxMicros longest
 */
public record LoadReport(
        long requests,
        long bytes,
        Map<FailureKind, Long> failures,
        List<String> examples,
        long p50Micros,
        long p99Micros,
        long maxMicros) {
    public LoadReport {
        failures = Map.copyOf(failures);
        examples = List.copyOf(examples);
    }

    /** Failures of a kind. */
    public long count(FailureKind kind) {
        return failures.getOrDefault(kind, 0L);
    }

    /** Requests that got no whole answer: all failures but wrong bodies. */
    public long failed() {
        return failures.entrySet().stream()
                .filter(entry -> entry.getKey() != FailureKind.WRONG_BODY)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Answers whose bytes were not the document's. */
    public long wrongBodies() {
        return count(FailureKind.WRONG_BODY);
    }
}
