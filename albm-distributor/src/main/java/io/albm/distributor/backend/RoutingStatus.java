// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.core.node.Threshold;
import java.util.List;

/**
 * What the distributor does with requests now; the JSON of the admin route {@code /routing}.
 *
 * @param policy the routing policy's name
 * @param thresholds the levels in force
 * @param panic whether so few backends can serve that others, which should not, get requests
 * @param backends by id
 */
public record RoutingStatus(String policy, List<Threshold> thresholds, boolean panic, List<BackendStatus> backends) {
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
                backends.stream().map(BackendStatus::current).toList());
    }
}
