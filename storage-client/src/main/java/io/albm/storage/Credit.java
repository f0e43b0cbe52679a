// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a sender may still send to an I/O node, in bytes. It was granted in pieces, of which the oldest is used first, and each of
 * which is void when its time is over. The node and the client count alike, but the client for a shorter time: it does
 * not send what the node does not expect any more. Decides only. Not thread-safe.
 */
public final class Credit {
    /** How long a node keeps memory for what it has granted, in nanoseconds. */
    public static final long NODE_NANOS = 5_000_000_000L;

    /** How long a client goes by it after it was told. */
    static final long CLIENT_NANOS = NODE_NANOS / 2;

    /** What a block takes at least: one that comes together with others keeps the buffer that they were received in. */
    static final int LEAST_COST = 32 * 1024;

    private record Piece(long bytes, long end) {}

    private final Deque<Piece> pieces = new ArrayDeque<>(2);
    private final long nanos;
    private long bytes;

    /** @param nanos how long each piece lasts */
    public Credit(long nanos) {
        this.nanos = nanos;
    }

    /** What it takes to send a block with a body of so many bytes. */
    public static int cost(int bodyBytes) {
        return Math.max(LEAST_COST, bodyBytes);
    }

    public long bytes() {
        return bytes;
    }

    public void add(long granted, long now) {
        if (granted > 0) {
            pieces.addLast(new Piece(granted, now + nanos));
            bytes += granted;
        }
    }

    /** Uses so many bytes, if they are there. */
    public boolean use(long wanted) {
        if (wanted > bytes) {
            return false;
        }
        bytes -= wanted;
        for (long left = wanted; left > 0; ) {
            Piece oldest = pieces.removeFirst();
            if (oldest.bytes() > left) {
                pieces.addFirst(new Piece(oldest.bytes() - left, oldest.end()));
            }
            left -= oldest.bytes();
        }
        return true;
    }

    /** Ends what is over. @return how many bytes that were */
    public long expire(long now) {
        long before = bytes;
        for (Piece oldest = pieces.peekFirst();
                oldest != null && oldest.end() - now <= 0;
                oldest = pieces.peekFirst()) {
            bytes -= oldest.bytes();
            pieces.removeFirst();
        }
        return before - bytes;
    }

    /** Ends all. @return how many bytes that were */
    public long clear() {
        long before = bytes;
        bytes = 0;
        pieces.clear();
        return before;
    }
}
