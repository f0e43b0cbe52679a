// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The backend with the fewest requests in flight from here; among equals a random one, so that many distributors do not
 * all start with the first. A pick reads every backend's count: linear in the number of backends.
 */
final class LeastConnections implements RoutingPolicy {
    @Override
    public Rotation rotate(RoutingView view) {
        return new Least(view.backends());
    }

    private static final class Least implements Rotation {
        private final BackendView[] backends;
        private final int[] indexes;

        Least(List<BackendView> all) {
            this.indexes = IntStream.range(0, all.size())
                    .filter(i -> all.get(i).available())
                    .toArray();
            this.backends = IntStream.of(indexes).mapToObj(all::get).toArray(BackendView[]::new);
        }

        @Override
        public int pick(RoutedRequest request, RandomGenerator random) {
            int best = NONE;
            int fewest = Integer.MAX_VALUE;
            int equals = 0;
            for (int i = 0; i < backends.length; i++) {
                if (request.tried(backends[i].id())) {
                    continue;
                }
                int inFlight = backends[i].load().inFlight();
                if (inFlight < fewest) {
                    best = indexes[i];
                    fewest = inFlight;
                    equals = 1;
                } else if (inFlight == fewest && random.nextInt(++equals) == 0) {
                    best = indexes[i];
                }
            }
            return best;
        }
    }
}
