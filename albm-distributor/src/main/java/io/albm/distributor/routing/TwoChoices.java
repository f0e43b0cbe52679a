// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.random.RandomGenerator;

/**
 * Draws two backends and takes the one with the lesser cost: nearly as even as asking all of them, in constant time, and
 * without the herd that forms when many distributors all see the same best one (Mitzenmacher, "The Power of Two Choices
 * in Randomized Load Balancing").
 */
final class TwoChoices implements Rotation {
    /** What it would cost to send one more request there; lower is better. */
    @FunctionalInterface
    interface Cost {
        double of(BackendLoad load, long nowNanos);
    }

    private final Candidates candidates;
    private final Cost cost;

    TwoChoices(Candidates candidates, Cost cost) {
        this.candidates = candidates;
        this.cost = cost;
    }

    @Override
    public int pick(RoutedRequest request, RandomGenerator random) {
        int size = candidates.size();
        if (size == 0) {
            return NONE;
        }
        int first = random.nextInt(size);
        int second = size == 1 ? first : other(first, random.nextInt(size - 1));
        return candidates.answer(better(first, second, request));
    }

    private static int other(int first, int draw) {
        return draw < first ? draw : draw + 1;
    }

    private int better(int first, int second, RoutedRequest request) {
        if (!candidates.mayTake(first, request)) {
            return candidates.firstOpen(second, request);
        }
        if (!candidates.mayTake(second, request)) {
            return first;
        }
        long now = request.nowNanos();
        return cost.of(candidates.load(second), now) < cost.of(candidates.load(first), now) ? second : first;
    }
}
