// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.SortedSet;

/**
 * Which checkpoints share pages. Numbers are cut into chains of {@link #LENGTH}; the first complete checkpoint of a
 * chain stores everything, each later one only what its base, the newest complete one of the same chain, has not. So
 * damage beyond parity concerns one chain, and a restart reads packs of at most {@link #LENGTH} checkpoints.
 *
 * <p>The chain follows from the number alone: a new leader needs to read nothing to know it.
 */
final class Chains {
    /** An eighth of the full checkpoints is the price. */
    static final int LENGTH = 8;

    private Chains() {}

    /** The checkpoint whose pages {@code number} need not store again; 0 for none. */
    static long baseOf(long number, SortedSet<Long> committed) {
        long newest = committed.isEmpty() ? 0 : committed.last();
        return newest != 0 && isSame(newest, number) ? newest : 0;
    }

    static boolean isSame(long one, long other) {
        return one / LENGTH == other / LENGTH;
    }
}
