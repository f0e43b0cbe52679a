// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

/**
 * One run of one contender that counts: every answer was right.
 *
 * @param requests answered, above 0
 * @param seconds that it took
 * @param cpuSeconds that its processes used in that time
 */
public record Run(long requests, double seconds, double cpuSeconds) {

    /** Answers a second. */
    public double requestsPerSecond() {
        return requests / seconds;
    }

    /** The measure of efficiency: the inverse of CPU per request. */
    public double requestsPerCpuSecond() {
        return requests / cpuSeconds;
    }

    /** Microseconds, user and system. */
    public double cpuMicrosPerRequest() {
        return cpuSeconds * 1e6 / requests;
    }
}
