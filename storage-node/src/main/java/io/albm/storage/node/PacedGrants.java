// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.WriteRate;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Grants that are on their way at a rate. Senders share it: each is told a part, at which it spaces what it sends, and together the
 * parts are the rate. So no queue grows at the node's port, not even for as long as one block takes, and a sender that several nodes grant to at once
 * is not late for any of them, as long as their parts fit its link.
 *
 * <p>Without other nodes all who wait share. Senders that several nodes grant to have a stream each when every node shares among
 * a part of them; with fewer and faster ones the last blocks are not slow while the rest of the rate has nobody left to use it. Not fewer than
 * {@link WriteRate#fanOut}, so that a sender whom all nodes grant to at once is not late.
 *
 * <p>A part is taken until what was granted for it should have come. Who comes when nothing is left waits for the first one to end. Not more
 * senders share than leave each a block in {@link #BLOCK_NANOS}: a part cannot be changed before its block has come, and the rate can.
 *
 * <p>In t seconds at most rate × (t + 2 × {@link #BLOCK_NANOS}) and two blocks are granted. Decides only; not thread-safe.
 */
final class PacedGrants {
    /** What a block takes at most, if it is not more than the rate carries meanwhile. */
    static final long BLOCK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A part of this share of what is due is better than to wait, so that an odd rest of the rate is used. */
    private static final double LEAST_PART = 0.25;

    private static final double ROUNDING = 1e-9;

    private final Queue<Part> parts = new PriorityQueue<>((a, b) -> Long.signum(a.end - b.end));
    private double bytesPerSecond;
    private int fanOut;
    private double taken;

    private record Part(double bytesPerSecond, long end) {}

    /**
     * @param bytesPerSecond more than 0
     * @param fanOut as in {@link WriteRate}
     */
    PacedGrants(long bytesPerSecond, int fanOut) {
        change(bytesPerSecond, fanOut);
    }

    /** Goes on with another rate. What is on its way comes as it was told. */
    final void change(long newBytesPerSecond, int newFanOut) {
        bytesPerSecond = newBytesPerSecond;
        fanOut = newFanOut;
    }

    /**
     * How long until somebody may be granted so many bytes, in nanoseconds; 0 if at once.
     *
     * @param waiting senders that wait, this one among them
     */
    long waitNanos(int bytes, int waiting, long now) {
        end(now);
        Part first = parts.peek();
        return first == null || left() >= due(bytes, waiting) * LEAST_PART ? 0 : first.end - now;
    }

    /**
     * Grants so many bytes.
     *
     * @return bytes per second at which they are to come
     */
    double grant(int bytes, int waiting, long now) {
        end(now);
        double due = due(bytes, waiting);
        double part = left() >= due * LEAST_PART ? Math.min(due, left()) : due;
        parts.add(new Part(part, now + (long) (TimeUnit.SECONDS.toNanos(1) * bytes / part)));
        taken += part;
        return part;
    }

    private void end(long now) {
        for (Part first = parts.peek(); first != null && first.end - now <= 0; first = parts.peek()) {
            parts.remove();
            taken = parts.isEmpty() ? 0 : taken - first.bytesPerSecond;
        }
    }

    private double left() {
        return bytesPerSecond * (1 + ROUNDING) - taken;
    }

    private double due(int bytes, int waiting) {
        double most = bytesPerSecond * BLOCK_NANOS / TimeUnit.SECONDS.toNanos(1) / bytes;
        return bytesPerSecond / Math.max(1, Math.min((int) most, sharers(waiting + parts.size())));
    }

    private int sharers(int senders) {
        return Math.min(senders, Math.max(fanOut, Math.ceilDiv(senders, fanOut)));
    }
}
