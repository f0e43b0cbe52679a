// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.Arrays;

/**
 * How long an answer is waited for that can be had from others: several times what most answers take, learned from the last
 * ones. That gets past a node that is slow for a moment, without a load of its own when all nodes are: no more than one read
 * in twenty is given up, on the average (hedged requests, J. Dean and L. A. Barroso, "The Tail at Scale", CACM 56(2), 2013).
 * Thread-safe.
 */
final class ReadPatience {
    private static final long MILLISECOND = 1_000_000;

    /** Until enough is known. */
    static final long FIRST_NANOS = 1_000 * MILLISECOND;

    /** Never less: a pause of a collector or of a disk is not worth reading a whole stripe for. */
    static final long LEAST_NANOS = 50 * MILLISECOND;

    private static final int TIMES = 4;
    private static final double MOST_ANSWERS = 0.95;
    private static final int REMEMBERED = 256;
    private static final int LEARN_EVERY = 32;

    /** Reads that may be given up for each that is answered, and how many of them can be saved up. */
    private static final double GIVEN_UP = 0.05;

    private static final double SAVED_UP = 16;

    /** Before any was answered: what has a slow node left out, and one more. Clients that begin together are slow together. */
    private static final double AT_FIRST = 4;

    private final long[] latencies = new long[REMEMBERED];
    private long answers;
    private long patience = FIRST_NANOS;
    private double mayGiveUp = AT_FIRST;

    /** Nanoseconds after which to do without the answer; the bound if this one must be waited for. */
    synchronized long nanos(long bound) {
        return mayGiveUp < 1 ? bound : Math.min(bound, patience);
    }

    /** @param nanos how long the answer took */
    synchronized void answered(long nanos) {
        mayGiveUp = Math.min(SAVED_UP, mayGiveUp + GIVEN_UP);
        note(nanos);
    }

    /** It would have taken longer than that. */
    synchronized void gaveUp(long nanos) {
        mayGiveUp--;
        note(nanos);
    }

    private void note(long nanos) {
        latencies[(int) (answers++ % REMEMBERED)] = nanos;
        if (answers % LEARN_EVERY == 0) {
            patience = Math.max(LEAST_NANOS, TIMES * mostTake());
        }
    }

    private long mostTake() {
        long[] sorted = Arrays.copyOf(latencies, (int) Math.min(answers, REMEMBERED));
        Arrays.sort(sorted);
        return sorted[(int) (MOST_ANSWERS * sorted.length)];
    }
}
