// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Round robin in which a backend takes its turn with a probability of its weight.
 *
 * <p>At full weights this is plain round robin: one atomic increment and one array read. A backend on its way back
 * (weight below 1) lets some of its turns pass to the next. If every turn of a whole round is declined, the first
 * backend that may take the request gets it, so a light weight delays nobody.
 */
final class WeightedTurns implements Rotation {
    private final String[] ids;
    private final int[] indexes;
    private final double[] weights;
    private final AtomicInteger cursor;
    private final Map<String, Relief> relieved;

    /**
     * Turns for the available backends of positive weight.
     *
     * @param weight 0 (out) to 1 (full share)
     * @param cursor whose turn it is; lives longer than one rotation, so that a change of view starts no new round
     */
    WeightedTurns(
            List<BackendView> backends,
            ToDoubleFunction<BackendView> weight,
            AtomicInteger cursor,
            Map<String, Relief> relieved) {
        this.indexes = IntStream.range(0, backends.size())
                .filter(i -> backends.get(i).available() && weight.applyAsDouble(backends.get(i)) > 0)
                .toArray();
        this.ids = Arrays.stream(indexes).mapToObj(i -> backends.get(i).id()).toArray(String[]::new);
        this.weights = Arrays.stream(indexes)
                .mapToDouble(i -> weight.applyAsDouble(backends.get(i)))
                .toArray();
        this.cursor = cursor;
        this.relieved = Map.copyOf(relieved);
    }

    static WeightedTurns equal(List<BackendView> backends, AtomicInteger cursor) {
        return new WeightedTurns(backends, backend -> 1, cursor, Map.of());
    }

    @Override
    public int pick(RoutedRequest request, RandomGenerator random) {
        if (ids.length == 0) {
            return NONE;
        }
        int start = Math.floorMod(cursor.getAndIncrement(), ids.length);
        int accepted = firstWilling(start, request, random);
        return accepted == NONE ? firstUntried(start, request) : accepted;
    }

    private int firstWilling(int start, RoutedRequest request, RandomGenerator random) {
        for (int step = 0; step < ids.length; step++) {
            int turn = (start + step) % ids.length;
            if (!request.tried(ids[turn]) && takesTurn(turn, random)) {
                return indexes[turn];
            }
        }
        return NONE;
    }

    private boolean takesTurn(int turn, RandomGenerator random) {
        return weights[turn] >= 1 || random.nextDouble() < weights[turn];
    }

    private int firstUntried(int start, RoutedRequest request) {
        for (int step = 0; step < ids.length; step++) {
            int turn = (start + step) % ids.length;
            if (!request.tried(ids[turn])) {
                return indexes[turn];
            }
        }
        return NONE;
    }

    @Override
    public Map<String, Relief> relieved() {
        return relieved;
    }
}
