// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import io.albm.distributor.routing.Rotation;
import io.albm.distributor.routing.RoutingPolicy;
import io.albm.distributor.routing.RoutingView;
import java.util.random.RandomGenerator;

/**
 * The rival that an operator would build with HAProxy: each class of requests in a backend section of its own with {@code
 * balance leastconn}, a {@code maxconn} per server, and a queue with a timeout. With several distributors each gets its
 * share of the limit, as HAProxy's manual advises.
 */
final class ClassMaxconn implements RoutingPolicy {
    private final int[] limits;
    private final int[][] inFlight;

    /** A rival that reads the counts by class and server that its distributor keeps. */
    ClassMaxconn(int[] limits, int[][] inFlight) {
        this.limits = limits;
        this.inFlight = inFlight;
    }

    @Override
    public Rotation rotate(RoutingView view) {
        int distributors = view.distributors();
        return (request, random) -> {
            int kind = ((SimulatedRequest) request).kind.number;
            int own = Math.max(1, Math.round((float) limits[kind] / distributors));
            return least(inFlight[kind], own, random);
        };
    }

    private static int least(int[] counts, int limit, RandomGenerator random) {
        int best = Rotation.WAIT;
        int fewest = limit - 1;
        int equals = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] <= fewest) {
                equals = counts[i] < fewest ? 1 : equals + 1;
                fewest = counts[i];
                best = equals == 1 || random.nextInt(equals) == 0 ? i : best;
            }
        }
        return best;
    }
}
