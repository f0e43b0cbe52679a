// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.SortedSet;
import java.util.TreeSet;

/** Which complete checkpoints may go: all but the newest {@code keep}. */
record Retention(int keep) {
    SortedSet<Long> victims(SortedSet<Long> committed) {
        SortedSet<Long> victims = new TreeSet<>(committed);
        for (int kept = 0; kept < keep && !victims.isEmpty(); kept++) {
            victims.removeLast();
        }
        return victims;
    }
}
