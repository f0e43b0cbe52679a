// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.policy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The policies by their configuration names. A new policy is one class and one line here. */
public final class PlacementPolicies {
    private static final Map<String, PlacementPolicy> BY_NAME = new TreeMap<>(Map.of(
            "spread", Spread.policy(),
            "interference-aware", InterferenceAware.policy()));

    private PlacementPolicies() {}

    /** Every name, sorted. */
    public static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    /**
     * The policy of that name.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    public static PlacementPolicy named(String name) {
        PlacementPolicy policy = BY_NAME.get(name);
        if (policy == null) {
            throw new IllegalArgumentException(
                    "placement policy '" + name + "': expected one of " + String.join(", ", names()));
        }
        return policy;
    }
}
