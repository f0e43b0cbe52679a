// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Round robin in which a backend takes its turn with a probability of its weight.
 *
 * <p>At equal weights this is plain round robin: one atomic increment and one array read. A backend of less weight than
 * the largest declines some of its turns, and the next turn is drawn. If every turn of a whole round is declined, the
 * first backend that may take the request gets it, so a light weight delays nobody.
 *
 * <p>Only the ratio of two weights counts. None is taken to be less than {@link #LEAST_SHARE} of the largest, so that a
 * pick asks that many backends at most on average, however many there are.
 */
final class WeightedTurns implements Rotation {
    private static final double LEAST_SHARE = 1.0 / 64;

    private final Candidates candidates;
    private final double[] shares;
    private final AtomicInteger cursor;
    private final Map<String, Relief> relieved;

    /**
     * Turns for the available backends of positive weight.
     *
     * @param weight 0 (out) or more
     * @param cursor whose turn it is; lives longer than one rotation, so that a change of view starts no new round
     */
    WeightedTurns(
            List<BackendView> backends,
            ToDoubleFunction<BackendView> weight,
            AtomicInteger cursor,
            Map<String, Relief> relieved) {
        this.candidates = Candidates.of(backends, backend -> backend.available() && weight.applyAsDouble(backend) > 0);
        this.shares = shares(candidates, weight);
        this.cursor = cursor;
        this.relieved = Map.copyOf(relieved);
    }

    static WeightedTurns equal(List<BackendView> backends, AtomicInteger cursor) {
        return new WeightedTurns(backends, _ -> 1, cursor, Map.of());
    }

    private static double[] shares(Candidates candidates, ToDoubleFunction<BackendView> weight) {
        double[] weights = IntStream.range(0, candidates.size())
                .mapToDouble(i -> weight.applyAsDouble(candidates.view(i)))
                .toArray();
        double largest = IntStream.range(0, weights.length)
                .mapToDouble(i -> weights[i])
                .max()
                .orElse(1);
        return IntStream.range(0, weights.length)
                .mapToDouble(i -> Math.max(LEAST_SHARE, weights[i] / largest))
                .toArray();
    }

    @Override
    public int pick(RoutedRequest request, RandomGenerator random) {
        int size = candidates.size();
        int turn = 0;
        for (int step = 0; step < size; step++) {
            turn = Math.floorMod(cursor.getAndIncrement(), size);
            if (takesTurn(turn, random) && candidates.mayTake(turn, request)) {
                return candidates.answer(turn);
            }
        }
        return candidates.answer(candidates.firstOpen(turn, request));
    }

    private boolean takesTurn(int turn, RandomGenerator random) {
        return shares[turn] >= 1 || random.nextDouble() < shares[turn];
    }

    @Override
    public Map<String, Relief> relieved() {
        return relieved;
    }
}
