// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import io.albm.cache.policy.SchedulingWindow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * As the server works: a hit is answered at once; a miss waits for the one disk, which reads a document once for all
 * that wait for it. The trace goes on as long as the window has room. This reorders requests, so it may pass Belady's
 * rule, which does not.
 */
final class HitsFirstSimulation {

    private static final class Miss {
        private final Trace.Request request;
        private final List<SchedulingWindow.Ticket<Integer>> waiters = new ArrayList<>();

        private Miss(Trace.Request request) {
            this.request = request;
        }

        private int waiting() {
            return waiters.size();
        }

        private long bytes() {
            return request.bytes();
        }
    }

    private static final Comparator<Miss> FEWEST_WAITERS = Comparator.comparingInt(Miss::waiting);
    private static final Comparator<Miss> SMALLEST = Comparator.comparingLong(Miss::bytes);

    /** Oldest first. */
    private final Map<Integer, Miss> misses = new LinkedHashMap<>();

    private final SimulatedCache cache;
    private final ReadOrder order;

    private HitsFirstSimulation(SimulatedCache cache, ReadOrder order) {
        this.cache = cache;
        this.order = order;
    }

    static Served run(List<Trace.Request> requests, String policy, long capacityBytes, int window, ReadOrder order) {
        return new HitsFirstSimulation(new SimulatedCache(policy, capacityBytes, window), order).serve(requests);
    }

    private Served serve(List<Trace.Request> requests) {
        for (Trace.Request request : requests) {
            if (cache.isWindowFull()) {
                makeRoom();
            }
            take(request);
        }
        readAll();
        return cache.served();
    }

    private void take(Trace.Request request) {
        SchedulingWindow.Ticket<Integer> ticket = cache.enter(request);
        if (cache.holds(request)) {
            cache.leave(ticket);
            cache.serve(request);
        } else {
            misses.computeIfAbsent(request.document(), absent -> new Miss(request))
                    .waiters
                    .add(ticket);
        }
    }

    private void makeRoom() {
        switch (order) {
            case OLDEST_FIRST -> read(misses.values().iterator().next());
            case MOST_WAITERS_FIRST ->
                read(misses.values().stream().max(FEWEST_WAITERS).orElseThrow());
            case SHORTEST_FIRST -> read(misses.values().stream().min(SMALLEST).orElseThrow());
            case CACHED_FIRST_BATCH -> readAll();
        }
    }

    private void readAll() {
        while (!misses.isEmpty()) {
            read(misses.values().iterator().next());
        }
    }

    private void read(Miss miss) {
        misses.remove(miss.request.document());
        miss.waiters.forEach(cache::leave);
        cache.read(miss.request);
    }
}
