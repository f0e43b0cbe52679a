// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.List;

/**
 * All that a policy may know.
 *
 * @param backends in an order that stays while the set of backends stays
 * @param relief when a backend is relieved and when it comes back
 * @param nowNanos the time, from a {@link io.albm.core.time.MonotonicClock}
 */
public record RoutingView(List<BackendView> backends, ReliefSettings relief, long nowNanos) {
    public RoutingView {
        backends = List.copyOf(backends);
    }
}
