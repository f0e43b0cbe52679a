// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import io.albm.cache.policy.SchedulingWindow;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * A window of the next requests slides over the trace: the oldest is served, the next one enters. So at every service
 * the policy knows exactly what waits, and the order of services is the trace's, which makes it comparable with Belady's
 * rule.
 */
final class InOrderSimulation {

    static final String MODE = "in-order";

    private record Waiting(Trace.Request request, SchedulingWindow.Ticket<Integer> ticket) {}

    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private final SimulatedCache cache;

    private InOrderSimulation(SimulatedCache cache) {
        this.cache = cache;
    }

    static Served run(List<Trace.Request> requests, String policy, long capacityBytes, int window) {
        return new InOrderSimulation(new SimulatedCache(policy, capacityBytes, window)).serve(requests);
    }

    private Served serve(List<Trace.Request> requests) {
        for (Trace.Request request : requests) {
            if (cache.isWindowFull()) {
                serveOldest();
            }
            waiting.add(new Waiting(request, cache.enter(request)));
        }
        while (!waiting.isEmpty()) {
            serveOldest();
        }
        return cache.served();
    }

    private void serveOldest() {
        Waiting oldest = waiting.remove();
        cache.leave(oldest.ticket());
        if (cache.holds(oldest.request())) {
            cache.serve(oldest.request());
        } else {
            cache.read(oldest.request());
        }
    }
}
