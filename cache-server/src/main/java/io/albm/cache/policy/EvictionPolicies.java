// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * The registry of eviction policies: configuration name to supplier. A new policy is one class and one line here;
 * the contract test runs over every name.
 */
public final class EvictionPolicies {

    /** Makes a policy of one kind for keys of any type. */
    private interface Supplier {
        <K> EvictionPolicy<K> create(PolicyContext<K> context);
    }

    private static final SequencedMap<String, Supplier> SUPPLIERS = new TreeMap<>(Map.of(
            "caffeine", CaffeinePolicy::new,
            "gdsf", GdsfPolicy::new,
            "lru", LruPolicy::new,
            "size", SizePolicy::new,
            "window-aware", WindowAwarePolicy::new,
            "window-lru", WindowLruPolicy::new));

    private EvictionPolicies() {}

    /** Every registered name, in alphabetical order. */
    public static List<String> names() {
        return List.copyOf(SUPPLIERS.sequencedKeySet());
    }

    /**
     * Makes an empty policy.
     *
     * @throws IllegalArgumentException if no policy has that name
     */
    public static <K> EvictionPolicy<K> create(String name, PolicyContext<K> context) {
        Supplier supplier = SUPPLIERS.get(name);
        if (supplier == null) {
            throw new IllegalArgumentException(
                    "eviction policy \"" + name + "\" is unknown; use one of " + String.join(", ", names()));
        }
        return supplier.create(context);
    }
}
