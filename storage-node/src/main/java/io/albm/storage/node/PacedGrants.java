// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.WriteRate;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Grants that are on their way at a rate. Senders share it: each is told a part, at which it spaces what it sends, and together the
 * parts are the rate. So no queue grows at the node's port, not even for as long as one block takes, and a sender that several nodes grant to at once
 * is not late for any of them, as long as their parts fit its link.
 *
 * <p>Without other nodes all who wait share. Senders that several nodes grant to have a stream each when every node shares among
 * a part of them; with fewer and faster ones the last blocks are not slow while the rest of the rate has nobody left to use it. Not fewer than
 * {@link WriteRate#fanOut}, so that a sender whom all nodes grant to at once is not late; and those that so many at a time leave over share with them,
 * so that one too many does not wait for a whole block of all the others. A sender's first block counts as one of as many as the fan-out, however few wait: the others are still to come,
 * and to several nodes at once who comes first would send more than his link carries.
 *
 * <p>A part is taken until what was granted for it should have come, but for its last {@link #AHEAD_BYTES}: the next one is granted while these are on their
 * way, counted from their end, so that a stream that goes on has no gap for as long as a grant takes. Who comes when less is left than is due takes that, or
 * waits for the first part to end, whichever has its block there sooner. Not more senders share than leave each a block in {@link #BLOCK_NANOS}:
 * a part cannot be changed before its block has come, and the rate can.
 *
 * <p>Who is late when his part ends, because other traffic holds his stream up, has no other one before all but {@link #LATE_BYTES} of his block have come: the stream would have
 * two blocks to send at the rate of one. Meanwhile he is not counted among those who share.
 *
 * <p>In t seconds at most rate × (t + 2 × {@link #BLOCK_NANOS}) and two blocks are granted. Decides only; not thread-safe.
 */
final class PacedGrants {
    /** What a block takes at most, if it is not more than the rate carries meanwhile. */
    static final long BLOCK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** So many bytes of a block at most, and an eighth of it, come at the same time as the first of the next one: less than ports have buffers for. */
    static final int AHEAD_BYTES = 8 * 1024;

    /** A sender has no other part while more than this is still to come of what it was granted. */
    static final int LATE_BYTES = 2 * AHEAD_BYTES;

    private static final int AHEAD_SHARE = 8;
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double ROUNDING = 1e-9;

    private final Queue<Part> parts = new PriorityQueue<>((a, b) -> Long.signum(a.free - b.free));

    /** When parts end that the next ones may take the place of; soonest first. */
    private final Queue<Long> ending = new PriorityQueue<>((a, b) -> Long.signum(a - b));

    /** Whose parts have ended, each part once; they have no other one before they were {@linkplain #released released}. */
    private final List<CreditAccount> ended = new ArrayList<>();

    private double bytesPerSecond;
    private int fanOut;
    private double taken;

    /**
     * A block that somebody may be granted.
     *
     * @param waiting senders that wait, this one among them
     * @param first whether it is his first one since there is a rate
     */
    record Turn(int bytes, int waiting, boolean first) {}

    /**
     * @param holder whose it is, null of a block that came without credit
     * @param end when all of it should have come
     * @param free from when on the next one may be granted
     */
    private record Part(@Nullable CreditAccount holder, double bytesPerSecond, long end, long free) {
        static Part of(@Nullable CreditAccount holder, int bytes, double bytesPerSecond, long begin) {
            long end = begin + (long) (bytes / bytesPerSecond * SECOND);
            int ahead = Math.min(AHEAD_BYTES, bytes / AHEAD_SHARE);
            return new Part(holder, bytesPerSecond, end, end - (long) (ahead / bytesPerSecond * SECOND));
        }
    }

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

    /** How long until somebody may be granted a block, in nanoseconds; 0 if at once. */
    long waitNanos(Turn turn, long now) {
        end(now);
        Part first = parts.peek();
        double due = due(turn);
        return first == null || left() >= due || isThereSoonerNow(turn.bytes(), due, first, now) ? 0 : first.free - now;
    }

    private boolean isThereSoonerNow(int bytes, double due, Part first, long now) {
        double later = Math.min(due, left() + first.bytesPerSecond);
        return left() > 0 && bytes / left() <= (first.free - now) / SECOND + bytes / later;
    }

    /**
     * Grants a block, as {@link #waitNanos} says that it may be.
     *
     * @return bytes per second at which it is to come
     */
    double grant(@Nullable CreditAccount holder, Turn turn, long now) {
        end(now);
        double part = Math.min(due(turn), left());
        Long before = ending.poll();
        parts.add(Part.of(holder, turn.bytes(), part, before == null ? now : before));
        taken += part;
        return part;
    }

    private void end(long now) {
        for (Part first = parts.peek(); first != null && first.free - now <= 0; first = parts.peek()) {
            release(parts.remove());
            ending.add(first.end);
            taken = parts.isEmpty() ? 0 : taken - first.bytesPerSecond;
        }
        while (!ending.isEmpty() && ending.peek() - now <= 0) {
            ending.remove();
        }
    }

    private void release(Part part) {
        if (part.holder != null) {
            ended.add(part.holder);
        }
    }

    /** Whose parts have ended, and whose blocks have come but for their last bytes; each part once. */
    List<CreditAccount> released(long now) {
        end(now);
        if (ended.isEmpty()) {
            return List.of();
        }
        List<CreditAccount> released =
                ended.stream().filter(holder -> !isLate(holder)).toList();
        ended.removeIf(holder -> !isLate(holder));
        return released;
    }

    private static boolean isLate(CreditAccount holder) {
        return holder.outstanding() > LATE_BYTES;
    }

    /** Ends all parts; there is no rate any more. */
    List<CreditAccount> end() {
        parts.forEach(this::release);
        parts.clear();
        return ended;
    }

    /** How long until the next part ends, but for its last bytes; {@link Long#MAX_VALUE} if nobody has one. */
    long nanosToRelease(long now) {
        Part first = parts.peek();
        return first == null ? Long.MAX_VALUE : first.free - now;
    }

    private double left() {
        return bytesPerSecond * (1 + ROUNDING) - taken;
    }

    private double due(Turn turn) {
        double most = bytesPerSecond * BLOCK_NANOS / SECOND / turn.bytes();
        int sharers = sharers(turn.waiting() + parts.size());
        int all = turn.first() ? Math.max(fanOut, sharers) : sharers;
        return bytesPerSecond / Math.max(1, Math.min((int) most, all));
    }

    private int sharers(int senders) {
        int evenly = Math.ceilDiv(senders, Math.max(1, senders / fanOut));
        return Math.max(evenly, Math.ceilDiv(senders, fanOut));
    }
}
