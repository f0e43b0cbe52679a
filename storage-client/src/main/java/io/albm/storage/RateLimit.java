// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.concurrent.TimeUnit;

/**
 * Bytes per second, on average from the first byte on: work begins when all work before it is paid for, whatever it costs
 * itself. Time without work is not saved up, so that in t seconds at most rate × t and one piece of work begin. Decides only; who
 * waits is somebody else. Thread-safe.
 */
final class RateLimit {
    private final double nanosPerByte;
    private long paidAt;
    private boolean begun;

    /** @param bytesPerSecond at least 1 */
    RateLimit(long bytesPerSecond) {
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException("rate of " + bytesPerSecond + " bytes/s: expected at least 1");
        }
        nanosPerByte = (double) TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
    }

    /** How long from {@code now} until more may be begun, in nanoseconds; 0 if at once. */
    synchronized long waitNanos(long now) {
        return begun ? Math.max(0, paidAt - now) : 0;
    }

    /** Notes work of so many bytes. */
    synchronized void charge(long bytes, long now) {
        paidAt = now + waitNanos(now) + (long) (bytes * nanosPerByte);
        begun = true;
    }
}
