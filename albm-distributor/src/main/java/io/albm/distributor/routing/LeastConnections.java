// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.random.RandomGenerator;

/**
 * The backend with the fewest requests in flight from here; among equals a random one, so that many distributors do not
 * all start with the first.
 */
final class LeastConnections implements RoutingPolicy {
    @Override
    public Rotation rotate(RoutingView view) {
        return new Least(this, Candidates.of(view.backends()));
    }

    private static final class Least implements Rotation {
        private final Candidates candidates;
        private final LeastTree counts;

        Least(LeastConnections policy, Candidates candidates) {
            this.candidates = candidates;
            this.counts = new LeastTree(candidates.size());
            for (int i = 0; i < candidates.size(); i++) {
                int candidate = i;
                candidates.load(i).follow(policy, (inFlight, _) -> counts.set(candidate, inFlight));
                counts.set(i, candidates.load(i).inFlight());
            }
        }

        @Override
        public int pick(RoutedRequest request, RandomGenerator random) {
            if (candidates.size() == 0) {
                return NONE;
            }
            int least = counts.draw(random);
            return candidates.answer(candidates.mayTake(least, request) ? least : leastOpen(request, random));
        }

        /** Only for a request that has failed before, or while backends are full. */
        private int leastOpen(RoutedRequest request, RandomGenerator random) {
            int best = Candidates.NOBODY;
            int fewest = Integer.MAX_VALUE;
            int equals = 0;
            for (int i = 0; i < candidates.size(); i++) {
                int inFlight = candidates.load(i).inFlight();
                if (inFlight > fewest || !candidates.mayTake(i, request)) {
                    continue;
                }
                equals = inFlight < fewest ? 1 : equals + 1;
                fewest = inFlight;
                best = random.nextInt(equals) == 0 ? i : best;
            }
            return best;
        }
    }
}
