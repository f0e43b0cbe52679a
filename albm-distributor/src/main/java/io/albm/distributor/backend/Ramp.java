// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Slow start: a backend that joins others or comes back takes a share of its requests that grows evenly to all of them.
 * A server that was away has cold caches and cold code; least-connections would otherwise send it everything at once.
 * Those that are there when the first serve start at their full share: there is nobody to help them. Confined to the
 * directory's thread.
 */
final class Ramp {
    private static final double FIRST_SHARE = 0.1;

    private final long wholeNanos;
    private final Map<String, Long> since = new HashMap<>();
    private Set<String> serving = Set.of();

    Ramp(ProtectionSettings settings) {
        this.wholeNanos = settings.slowStart().toNanos();
    }

    /** Takes the next look: those who serve now. */
    void observe(Set<String> nowServing, long nowNanos) {
        since.keySet().retainAll(nowServing);
        if (!serving.isEmpty()) {
            nowServing.stream().filter(id -> !serving.contains(id)).forEach(id -> since.put(id, nowNanos));
        }
        since.values().removeIf(begun -> nowNanos - begun >= wholeNanos);
        serving = Set.copyOf(nowServing);
    }

    /** The share of its requests that a backend takes, above 0 to 1. */
    double share(String id, long nowNanos) {
        Long begun = since.get(id);
        return begun == null ? 1 : Math.clamp((double) (nowNanos - begun) / wholeNanos, FIRST_SHARE, 1);
    }
}
