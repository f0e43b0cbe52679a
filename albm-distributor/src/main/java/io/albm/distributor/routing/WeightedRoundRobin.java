// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** One after the other, each as often as the weight that the operator gave it says. */
final class WeightedRoundRobin implements RoutingPolicy {
    private final AtomicInteger cursor = new AtomicInteger();

    @Override
    public Rotation rotate(RoutingView view) {
        return new WeightedTurns(view.backends(), BackendView::weight, cursor, Map.of());
    }
}
