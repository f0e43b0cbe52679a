// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.concurrent.atomic.AtomicInteger;

/** One after the other, whatever they feel: what an L4 switch or LVS does, and the baseline of paper P1. */
final class RoundRobin implements RoutingPolicy {
    private final AtomicInteger cursor = new AtomicInteger();

    @Override
    public Rotation rotate(RoutingView view) {
        return WeightedTurns.equal(view.backends(), cursor);
    }
}
