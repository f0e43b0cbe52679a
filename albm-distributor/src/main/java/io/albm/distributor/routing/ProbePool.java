// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Prequal's pool of the last probes. Each pick adds {@link #PROBES_PER_PICK} probes of random backends, uses the best one
 * of the pool, counts that request into the probe it used, and removes one: in turn the oldest and the worst.
 *
 * <p>All event loops share it, and a pick holds its lock for the time of a few dozen comparisons.
 */
final class ProbePool {
    static final int SIZE = 16;
    private static final int PROBES_PER_PICK = 3;
    private static final int WINDOW = 128;
    private static final double HOT_QUANTILE = 0.6;
    private static final long MAX_AGE_NANOS = 1_000_000_000L;

    private final int[] backend = new int[SIZE];
    private final int[] inFlight = new int[SIZE];
    private final double[] latency = new double[SIZE];
    private final long[] probedNanos = new long[SIZE];
    private int size;
    private boolean removeOldest;
    private final int[] seen = new int[WINDOW];
    private final int[] sorted = new int[WINDOW];
    private int seenCount;
    private int seenNext;

    /** The candidate for a request, or {@link Candidates#NOBODY}. */
    synchronized int pick(Candidates candidates, RoutedRequest request, RandomGenerator random) {
        if (candidates.size() == 0) {
            return Candidates.NOBODY;
        }
        long now = request.nowNanos();
        for (int i = 0; i < PROBES_PER_PICK; i++) {
            probe(random.nextInt(candidates.size()), candidates, now);
        }
        removeExpired(now);
        int best = best(candidates, request, hotLimit());
        if (best == Candidates.NOBODY) {
            return candidates.firstOpen(random.nextInt(candidates.size()), request);
        }
        int chosen = backend[best];
        inFlight[best]++;
        remove(removeOldest ? oldest() : worst());
        removeOldest = !removeOldest;
        return chosen;
    }

    private void probe(int candidate, Candidates candidates, long now) {
        if (size == SIZE) {
            remove(oldest());
        }
        BackendLoad load = candidates.load(candidate);
        backend[size] = candidate;
        inFlight[size] = load.inFlight();
        latency[size] = load.latencyNanos(now);
        probedNanos[size] = now;
        seen[seenNext] = inFlight[size];
        seenNext = (seenNext + 1) % WINDOW;
        seenCount = Math.min(seenCount + 1, WINDOW);
        size++;
    }

    private void removeExpired(long now) {
        for (int i = size - 1; i >= 0; i--) {
            if (now - probedNanos[i] > MAX_AGE_NANOS) {
                remove(i);
            }
        }
    }

    private void remove(int index) {
        size--;
        for (int i = index; i < size; i++) {
            backend[i] = backend[i + 1];
            inFlight[i] = inFlight[i + 1];
            latency[i] = latency[i + 1];
            probedNanos[i] = probedNanos[i + 1];
        }
    }

    private int hotLimit() {
        System.arraycopy(seen, 0, sorted, 0, seenCount);
        Arrays.sort(sorted, 0, seenCount);
        return sorted[(int) (HOT_QUANTILE * (seenCount - 1))];
    }

    private int best(Candidates candidates, RoutedRequest request, int hotLimit) {
        int best = Candidates.NOBODY;
        for (int i = 0; i < size; i++) {
            if (candidates.mayTake(backend[i], request) && (best == Candidates.NOBODY || isBetter(i, best, hotLimit))) {
                best = i;
            }
        }
        return best;
    }

    /** Cold before hot, quick before slow among the cold, idle before busy among the hot. */
    private boolean isBetter(int one, int other, int hotLimit) {
        boolean oneHot = inFlight[one] > hotLimit;
        boolean otherHot = inFlight[other] > hotLimit;
        if (oneHot != otherHot) {
            return otherHot;
        }
        return oneHot ? inFlight[one] < inFlight[other] : latency[one] < latency[other];
    }

    /** Probes are added at the end and keep their order. */
    private static int oldest() {
        return 0;
    }

    private int worst() {
        int limit = hotLimit();
        int worst = 0;
        for (int i = 1; i < size; i++) {
            worst = isBetter(worst, i, limit) ? i : worst;
        }
        return worst;
    }
}
