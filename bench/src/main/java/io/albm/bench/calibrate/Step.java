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
 * @param counters of the host, the median of the step's second half
 */
record Step(int load, double goodput, long p99Micros, double failedShare, CounterSample counters) {}
