// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** The schemes by their names in commands and configuration. */
public final class CheckpointStrategies {
    /** What a job uses unless told otherwise. */
    public static final String DEFAULT = "credit-window";

    private static final Map<String, IntFunction<CheckpointStrategy>> BY_NAME = new TreeMap<>(Map.of(
            "coordinated", _ -> groups(Integer.MAX_VALUE, "all ranks write at once"),
            "staggered", _ -> groups(1, "one rank writes after the other"),
            "striped", size -> groups(size, "the size is fixed by --group-size"),
            "multistriped", StripeGroupPolicy::new,
            "credit-window", _ -> new CreditWindowPolicy()));

    private CheckpointStrategies() {}

    private static CheckpointStrategy groups(int size, String why) {
        return (sizes, network) -> {
            int groupSize = Math.min(size, sizes.bytes().size());
            return new StripeGroups(sizes.ranks(), groupSize, "group size " + groupSize + ": " + why);
        };
    }

    /** All names, sorted. */
    public static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    /**
     * A strategy by name.
     *
     * @param groupSize the fixed size of {@code striped} and the initial size of {@code multistriped}; at least 1
     * @throws IllegalArgumentException for an unknown name
     */
    public static CheckpointStrategy create(String name, int groupSize) {
        IntFunction<CheckpointStrategy> factory = BY_NAME.get(name);
        if (factory == null) {
            throw new IllegalArgumentException(
                    "unknown strategy \"" + name + "\"; one of " + String.join(", ", names()));
        }
        return factory.apply(groupSize);
    }
}
