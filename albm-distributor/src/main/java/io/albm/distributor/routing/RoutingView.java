// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.List;

/**
 * All that a policy may know.
 *
 * @param backends in an order that stays while the set of backends stays
 * @param relief when a backend is relieved and when it comes back
 * @param costs what requests of each route hold of their host's memory
 * @param distributors how many distributors send to these backends, this one included; at least 1
 * @param nowNanos the time, from a {@link io.albm.core.time.MonotonicClock}
 */
public record RoutingView(
        List<BackendView> backends, ReliefSettings relief, RouteCosts costs, int distributors, long nowNanos) {
    public RoutingView {
        backends = List.copyOf(backends);
    }
}
