// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The policies by their configuration names. */
public final class RoutingPolicies {
    private static final Map<String, Supplier<RoutingPolicy>> BY_NAME = new TreeMap<>(Map.ofEntries(
            entry("round-robin", RoundRobin::new),
            entry("weighted-round-robin", WeightedRoundRobin::new),
            entry("least-connections", LeastConnections::new),
            entry("power-of-two", PowerOfTwo::new),
            entry("peak-ewma", PeakEwma::new),
            entry("prequal", Prequal::new),
            entry("orca-weighted", OrcaWeighted::new),
            entry("hash", Hash::new),
            entry("bounded-load-hash", BoundedLoadHash::new),
            entry("albm", Albm::new),
            entry("albm-threshold", AlbmThreshold::new)));

    private RoutingPolicies() {}

    /** Every name, sorted. */
    public static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    /**
     * A new policy of that name, which has seen nothing yet.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    public static RoutingPolicy create(String name) {
        Supplier<RoutingPolicy> supplier = BY_NAME.get(name);
        if (supplier == null) {
            throw new IllegalArgumentException(
                    "routing policy '" + name + "': expected one of " + String.join(", ", names()));
        }
        return supplier.get();
    }
}
