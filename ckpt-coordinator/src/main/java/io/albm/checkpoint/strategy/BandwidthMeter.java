// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.util.function.LongSupplier;

/**
 * Available bandwidth of a link, measured passively: its speed less what the interface's byte counters say is used. It
 * sends nothing, so a measurement costs one read of a counter.
 *
 * <p>Not thread-safe: one owner samples it.
 */
public final class BandwidthMeter {
    private final LongSupplier bytes;
    private final double linkBytesPerSecond;
    private long lastBytes;
    private long lastNanos;
    private double atStart;
    private double now;

    /**
     * @param bytes the larger of bytes received and bytes sent since boot
     * @param linkBytesPerSecond the link's speed in one direction
     * @param nanoTime the present
     */
    public BandwidthMeter(LongSupplier bytes, double linkBytesPerSecond, long nanoTime) {
        this.bytes = bytes;
        this.linkBytesPerSecond = linkBytesPerSecond;
        this.lastBytes = bytes.getAsLong();
        this.lastNanos = nanoTime;
        this.now = linkBytesPerSecond;
    }

    /** Takes the mean use since the last sample; the first sample is the bandwidth at the start. */
    public void sample(long nanoTime) {
        long total = bytes.getAsLong();
        double seconds = (nanoTime - lastNanos) / 1e9;
        if (seconds <= 0) {
            return;
        }
        double used = Math.max(0, total - lastBytes) / seconds;
        now = Math.max(0, linkBytesPerSecond - used);
        if (atStart == 0) {
            atStart = Math.max(1, now);
        }
        lastBytes = total;
        lastNanos = nanoTime;
    }

    /** As of the last sample; unchanged before the first. */
    public Bandwidth bandwidth() {
        return atStart == 0 ? Bandwidth.UNCHANGED : new Bandwidth(atStart, now);
    }
}
