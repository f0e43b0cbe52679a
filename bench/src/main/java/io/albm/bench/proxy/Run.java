// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

/**
 * One run of one proxy that counts: every answer was right.
 *
 * @param requests answered, above 0
 * @param seconds that it took
 * @param cpuSeconds that the proxy's processes used in that time
 */
record Run(long requests, double seconds, double cpuSeconds) {

    double requestsPerSecond() {
        return requests / seconds;
    }

    /** The measure of efficiency: the inverse of CPU per request. */
    double requestsPerCpuSecond() {
        return requests / cpuSeconds;
    }

    double cpuMicrosPerRequest() {
        return cpuSeconds * 1e6 / requests;
    }
}
