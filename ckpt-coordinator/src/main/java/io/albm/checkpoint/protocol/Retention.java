// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which complete checkpoints may go: those that are neither pinned nor one of every {@code keepEvery}, once {@code keep}
 * newer ones are there that a restart would go on from. The newest one that shares no page with the newest of all stays, too,
 * so that there is always one to fall back to whatever pack is damaged.
 *
 * @param keep at least 1
 * @param keepEvery numbers that this divides are kept; 0 for none
 */
record Retention(int keep, int keepEvery) {
    SortedSet<Long> victims(SortedSet<Long> committed, Marks marks) {
        SortedSet<Long> victims = new TreeSet<>();
        int newer = 0;
        for (long number : committed.reversed()) {
            if (newer >= keep && !marks.pinned().contains(number) && !isMilestone(number)) {
                victims.add(number);
            }
            if (!marks.hasAbandoned(number)) {
                newer++;
            }
        }
        victims.remove(newestOfOtherChains(committed));
        return victims;
    }

    private boolean isMilestone(long number) {
        return keepEvery > 0 && number % keepEvery == 0;
    }

    private static long newestOfOtherChains(SortedSet<Long> committed) {
        long newest = committed.isEmpty() ? 0 : committed.getLast();
        return committed.stream()
                .filter(number -> !Chains.isSame(number, newest))
                .max(Comparator.naturalOrder())
                .orElse(0L);
    }
}
