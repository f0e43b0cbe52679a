// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.concurrent.TimeUnit;

/**
 * Bytes per second, on average from the first byte on: work begins when all work before it is paid for, whatever it costs
 * itself. Time without work is saved up as far as a burst takes it, so that in t seconds at most rate × t + burst + one piece of
 * work begin (a token bucket). Decides only; who waits is somebody else. Thread-safe.
 */
public final class RateLimit {
    private double nanosPerByte;
    private long burstNanos;
    private long paidAt;
    private boolean begun;

    /** A limit that saves nothing up. */
    RateLimit(long bytesPerSecond) {
        this(bytesPerSecond, 0);
    }

    /**
     * @param bytesPerSecond at least 1
     * @param burstBytes what may be begun at once after a time without work, at least 0
     */
    public RateLimit(long bytesPerSecond, long burstBytes) {
        set(bytesPerSecond, burstBytes);
    }

    private void set(long bytesPerSecond, long burstBytes) {
        if (bytesPerSecond < 1 || burstBytes < 0) {
            throw new IllegalArgumentException("rate of %d bytes/s with a burst of %d: expected at least 1 and 0"
                    .formatted(bytesPerSecond, burstBytes));
        }
        nanosPerByte = (double) TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
        burstNanos = (long) (burstBytes * nanosPerByte);
    }

    /** Goes on with another rate and burst. What is not paid for yet, or was saved up, is as many bytes as before. */
    public synchronized void change(long bytesPerSecond, long burstBytes, long now) {
        double owedBytes = begun ? (paidFrom(now) - now) / nanosPerByte : -burstNanos / nanosPerByte;
        set(bytesPerSecond, burstBytes);
        paidAt = now + (long) (owedBytes * nanosPerByte);
        begun = true;
    }

    /** How long from {@code now} until more may be begun, in nanoseconds; 0 if at once. */
    public synchronized long waitNanos(long now) {
        return begun ? Math.max(0, paidAt - now) : 0;
    }

    /** Notes work of so many bytes. */
    public synchronized void charge(long bytes, long now) {
        paidAt = paidFrom(now) + (long) (bytes * nanosPerByte);
        begun = true;
    }

    /** When all work before was paid for, but no longer ago than a burst takes. */
    private long paidFrom(long now) {
        long earliest = now - burstNanos;
        return begun && paidAt - earliest > 0 ? paidAt : earliest;
    }
}
