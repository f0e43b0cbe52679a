// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

/**
 * Bytes of a file that are locked, whether they are there or not.
 *
 * @param start offset of the first, at least 0
 * @param end offset of the last, at least {@code start}; {@link Long#MAX_VALUE} for all from there on
 */
public record LockRange(long start, long end) {
    /** A whole file, however long it becomes. */
    public static final LockRange ALL = new LockRange(0, Long.MAX_VALUE);

    public LockRange {
        if (start < 0 || end < start) {
            throw new IllegalArgumentException(
                    "a lock from " + start + " to " + end + ": expected 0 or more, and an end that is not before");
        }
    }

    /** Whether they have a byte in common. */
    public boolean overlaps(LockRange other) {
        return start <= other.end && other.start <= end;
    }

    /** Whether the other one begins right behind. */
    public boolean isBefore(LockRange other) {
        return end != Long.MAX_VALUE && end + 1 == other.start;
    }
}
