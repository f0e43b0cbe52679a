// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/** The picks of {@link Albm}: the least loaded host with headroom for the request. */
final class AlbmRotation implements Rotation {
    /** How many hosts are looked at: all of them up to this number, else as many at random. */
    static final int LOOKS = 8;

    private static final long FAILURE_NANOS = 1_000_000_000L;
    private static final double FAILURE_PENALTY = 1e6;

    /** What the host felt when it reported says less than what was sent to it since. */
    private static final double RUN_QUEUE_WEIGHT = 0.25;

    private final Candidates candidates;
    private final Headroom[] headrooms;
    private final RouteCosts costs;
    private final int distributors;

    AlbmRotation(Candidates candidates, Headroom[] headrooms, RoutingView view) {
        this.candidates = candidates;
        this.headrooms = headrooms;
        this.costs = view.costs();
        this.distributors = view.distributors();
    }

    @Override
    public int pick(RoutedRequest request, RandomGenerator random) {
        int size = candidates.size();
        if (size == 0) {
            return NONE;
        }
        long cost = costs.bytes(request.route());
        boolean cheap = cost < ReportedCosts.CHEAP_BYTES;
        int start = random.nextInt(size);
        int best = Candidates.NOBODY;
        int roomiest = Candidates.NOBODY;
        double leastLoad = 0;
        for (int look = 0; look < Math.min(size, LOOKS); look++) {
            int candidate = size <= LOOKS ? (start + look) % size : random.nextInt(size);
            if (!candidates.mayTake(candidate, request)) {
                continue;
            }
            Headroom headroom = headrooms[candidate];
            if (roomiest == Candidates.NOBODY || headroom.room() > headrooms[roomiest].room()) {
                roomiest = candidate;
            }
            if (cheap ? headroom.room() >= 0 : headroom.admits(cost, random)) {
                double load = load(candidate, request.nowNanos());
                if (best == Candidates.NOBODY || load < leastLoad) {
                    best = candidate;
                    leastLoad = load;
                }
            }
        }
        if (best != Candidates.NOBODY) {
            return candidates.answer(best);
        }
        if (roomiest == Candidates.NOBODY) {
            return candidates.answer(candidates.firstOpen(start, request));
        }
        return cheap ? candidates.answer(roomiest) : WAIT;
    }

    /** Threads that wait on the host, and requests under way there, if all distributors send like this one. */
    private double load(int candidate, long nowNanos) {
        BackendLoad load = candidates.load(candidate);
        double penalty = load.failedWithin(FAILURE_NANOS, nowNanos) ? FAILURE_PENALTY : 0;
        return RUN_QUEUE_WEIGHT * headrooms[candidate].waitingThreads()
                + (double) load.inFlight() * distributors
                + penalty;
    }

    @Override
    public Map<String, Relief> relieved() {
        var relieved = new HashMap<String, Relief>();
        for (int i = 0; i < headrooms.length; i++) {
            Relief relief = headrooms[i].relief();
            if (relief != null) {
                relieved.put(candidates.view(i).id(), relief);
            }
        }
        return relieved;
    }

    @Override
    public Map<String, Long> limits() {
        var limits = new HashMap<String, Long>();
        for (int i = 0; i < headrooms.length; i++) {
            String id = candidates.view(i).id();
            headrooms[i].limit().ifPresent(bytes -> limits.put(id, bytes));
        }
        return limits;
    }
}
