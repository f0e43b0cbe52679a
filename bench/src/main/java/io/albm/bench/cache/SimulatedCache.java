// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import io.albm.cache.policy.EvictionPolicies;
import io.albm.cache.policy.EvictionPolicy;
import io.albm.cache.policy.PolicyContext;
import io.albm.cache.policy.SchedulingWindow;

/** The cache server's own policy and window, driven as its store drives them, with books and without bytes. */
final class SimulatedCache {

    private final SchedulingWindow<Integer> window;
    private final EvictionPolicy<Integer> policy;
    private long requests;
    private long reads;
    private long bytes;
    private long readBytes;

    SimulatedCache(String name, long capacityBytes, int windowLimit) {
        window = new SchedulingWindow<>(windowLimit);
        policy = EvictionPolicies.create(name, new PolicyContext<>(capacityBytes, window));
    }

    boolean isWindowFull() {
        return window.occupancy() == window.limit();
    }

    SchedulingWindow.Ticket<Integer> enter(Trace.Request request) {
        requests++;
        bytes += request.bytes();
        SchedulingWindow.Ticket<Integer> ticket = window.enter(request.document());
        policy.arrived(request.document());
        return ticket;
    }

    void leave(SchedulingWindow.Ticket<Integer> ticket) {
        window.leave(ticket);
    }

    boolean holds(Trace.Request request) {
        return policy.isResident(request.document());
    }

    /** Answers from memory. */
    void serve(Trace.Request request) {
        policy.served(request.document());
    }

    /** Reads from disk and offers what was read to the policy. */
    void read(Trace.Request request) {
        reads++;
        readBytes += request.bytes();
        policy.admit(request.document(), request.bytes(), victim -> {});
    }

    Served served() {
        return new Served(requests, reads, bytes, readBytes);
    }
}
