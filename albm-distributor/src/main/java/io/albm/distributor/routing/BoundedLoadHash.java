// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Consistent hashing with bounded loads (Mirrokni, Thorup, Zadimoghaddam): as {@code hash}, but a backend that has more
 * than {@link #BOUND} times the mean of requests in flight passes a request on to the next owner. Most paths keep their
 * cache, and a path that everybody asks for spreads over as many backends as it needs.
 */
final class BoundedLoadHash implements RoutingPolicy {
    /** HAProxy's advice for hash-balance-factor is 125 to 200 %. */
    private static final double BOUND = 1.25;

    private final Hash.HashOwners owners = new Hash.HashOwners();

    @Override
    public Rotation rotate(RoutingView view) {
        Candidates candidates = Candidates.of(view.backends());
        var total = new AtomicInteger();
        for (int i = 0; i < candidates.size(); i++) {
            candidates.load(i).follow(this, (_, by) -> total.addAndGet(by));
            total.addAndGet(candidates.load(i).inFlight());
        }
        double share = BOUND / Math.max(1, candidates.size());
        return new HashRotation(view, owners.of(view), load -> load.inFlight() < Math.ceil(share * (total.get() + 1)));
    }
}
