// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import io.albm.cache.policy.EvictionPolicies;
import io.albm.cache.policy.EvictionPolicy;
import io.albm.cache.policy.PolicyContext;
import io.albm.cache.policy.SchedulingWindow;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * Drives the server's own policy and window with a trace, in order: a window of the next requests slides over the
 * trace, the oldest is served, the next one enters. So at every service the policy knows exactly what waits.
 */
final class TraceSimulator {

    /**
     * What was served from memory.
     *
     * @param objects share of requests, 0 to 1
     * @param bytes share of bytes, 0 to 1
     */
    record HitRatio(double objects, double bytes) {}

    private record Waiting(Trace.Request request, SchedulingWindow.Ticket<Integer> ticket) {}

    private final SchedulingWindow<Integer> window;
    private final EvictionPolicy<Integer> policy;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private long hits;
    private long hitBytes;
    private long bytes;

    private TraceSimulator(String name, long capacityBytes, int windowLimit) {
        window = new SchedulingWindow<>(windowLimit);
        policy = EvictionPolicies.create(name, new PolicyContext<>(capacityBytes, window));
    }

    static HitRatio run(Trace trace, String policy, long capacityBytes, int window) {
        return new TraceSimulator(policy, capacityBytes, window).serve(trace.requests());
    }

    private HitRatio serve(List<Trace.Request> requests) {
        for (Trace.Request request : requests) {
            if (window.occupancy() == window.limit()) {
                serveOldest();
            }
            enter(request);
        }
        while (!waiting.isEmpty()) {
            serveOldest();
        }
        return new HitRatio((double) hits / requests.size(), (double) hitBytes / bytes);
    }

    private void enter(Trace.Request request) {
        waiting.add(new Waiting(request, window.enter(request.document())));
        policy.arrived(request.document());
    }

    private void serveOldest() {
        Waiting oldest = waiting.remove();
        window.leave(oldest.ticket());
        Trace.Request request = oldest.request();
        bytes += request.bytes();
        if (policy.isResident(request.document())) {
            policy.served(request.document());
            hits++;
            hitBytes += request.bytes();
        } else {
            policy.admit(request.document(), request.bytes(), victim -> {});
        }
    }
}
