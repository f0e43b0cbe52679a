// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which complete checkpoints may go: all but the newest {@code keep} and the newest one that shares no page with the
 * newest of all, so that there is always one to fall back to whatever pack is damaged.
 */
record Retention(int keep) {
    SortedSet<Long> victims(SortedSet<Long> committed) {
        SortedSet<Long> victims = new TreeSet<>(committed);
        for (int kept = 0; kept < keep && !victims.isEmpty(); kept++) {
            victims.removeLast();
        }
        victims.remove(newestOfOtherChains(committed));
        return victims;
    }

    private static long newestOfOtherChains(SortedSet<Long> committed) {
        long newest = committed.isEmpty() ? 0 : committed.getLast();
        return committed.stream()
                .filter(number -> !Chains.isSame(number, newest))
                .max(Comparator.naturalOrder())
                .orElse(0L);
    }
}
