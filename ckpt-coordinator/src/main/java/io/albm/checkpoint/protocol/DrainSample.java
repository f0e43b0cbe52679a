// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

/**
 * How a drain was at one moment.
 *
 * @param millis since the drain began
 * @param window ranks that may write
 * @param storedBytes of the ranks that are stored
 * @param totalBytesPerSecond at which all I/O nodes together granted credit at most; 0 if no rates were set
 * @param slowestBytesPerSecond of the slowest I/O node; 0 if no rates were set
 * @param queueMicros the longest round trip to an I/O node over that of its path without a queue
 * @param retransmitShare of the segments that the job's hosts sent, 0 to 1
 */
public record DrainSample(
        long millis,
        int window,
        long storedBytes,
        double totalBytesPerSecond,
        double slowestBytesPerSecond,
        long queueMicros,
        double retransmitShare) {}
