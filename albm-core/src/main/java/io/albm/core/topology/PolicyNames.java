// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import io.albm.core.text.Nearest;
import java.util.List;

/**
 * The names of the routing policies, for those who check a topology without having the policies: a command on a desk, a
 * file in a repository.
 */
public final class PolicyNames {
    /** What holds where nobody names one. */
    public static final String DEFAULT = "albm-threshold";

    private static final List<String> ALL = List.of(
            "albm",
            "albm-threshold",
            "bounded-load-hash",
            "hash",
            "least-connections",
            "orca-weighted",
            "peak-ewma",
            "power-of-two",
            "prequal",
            "round-robin",
            "weighted-round-robin");

    private PolicyNames() {}

    /** What to say of a name that is none. */
    static String unknown(String name) {
        return "'" + name + "': expected one of " + String.join(", ", ALL) + Nearest.hint(name, ALL);
    }

    /** All of them. */
    public static List<String> all() {
        return ALL;
    }
}
