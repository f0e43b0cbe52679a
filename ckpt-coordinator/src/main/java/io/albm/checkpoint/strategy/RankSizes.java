// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one checkpoint has to store.
 *
 * @param checkpoint its number
 * @param bytes of each rank's state, by rank, in their order; at least one rank
 */
public record RankSizes(long checkpoint, Map<Integer, Long> bytes) {
    public RankSizes {
        bytes = Collections.unmodifiableMap(new TreeMap<>(bytes));
        if (bytes.isEmpty()) {
            throw new IllegalArgumentException("checkpoint " + checkpoint + " of no ranks; at least 1");
        }
    }

    /** All ranks in their order. */
    List<Integer> ranks() {
        return List.copyOf(bytes.keySet());
    }
}
