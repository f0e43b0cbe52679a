// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.core.node.Threshold;
import java.util.List;
import java.util.SortedMap;

/**
 * What the distributor does with requests now; the JSON of the admin route {@code /routing}.
 *
 * @param policy the routing policy's name
 * @param thresholds the levels in force
 * @param panic whether so few backends can serve that others, which should not, get requests
 * @param routeCosts bytes that a request of a route is thought to hold of its host's memory, by the route's index; routes
 *     whose cost is unknown are left out
 * @param backends by id
 */
public record RoutingStatus(
        String policy,
        List<Threshold> thresholds,
        boolean panic,
        SortedMap<Integer, Long> routeCosts,
        List<BackendStatus> backends) {
    public RoutingStatus {
        thresholds = List.copyOf(thresholds);
        backends = List.copyOf(backends);
    }

    /** The same with the in-flight counts of this moment. */
    public RoutingStatus current() {
        return new RoutingStatus(
                policy,
                thresholds,
                panic,
                routeCosts,
                backends.stream().map(BackendStatus::current).toList());
    }
}
