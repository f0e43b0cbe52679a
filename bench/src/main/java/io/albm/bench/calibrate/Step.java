// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import io.albm.core.node.CounterSample;

/**
 * One step of an experiment, as measured.
 *
 * @param load clients or MB a request
 * @param goodput right answers a second
 * @param p99Micros 99th percentile of their latency; 0 without any
 * @param failedShare of the requests, 0 to 1
 * @param unreachableShare of the requests, those among the failed that found nobody listening
 * @param counters of the host, the median of the step's second half
 */
record Step(
        int load, double goodput, long p99Micros, double failedShare, double unreachableShare, CounterSample counters) {
    private static final double MOST_FAIL = 0.5;
    private static final double GONE = 0.05;

    /** Whether more would only hurt the server. */
    boolean isTheEnd() {
        return failedShare > MOST_FAIL || isGone();
    }

    /** Whether the server was gone: the counters say how well its host is without it. */
    boolean isGone() {
        return unreachableShare > GONE;
    }
}
