// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Guesses where names will be made or removed, and where a lease is worth a listing: where a name was looked up in vain, or removed,
 * and another one is looked up within a second. Where a lease was refused or recalled, others are at work, and it waits for a while. Remembers the last 1024 directories. Not
 * thread-safe.
 */
final class WorkPlaces {
    private static final int MOST = 1024;
    private static final long SOON = Duration.ofSeconds(1).toNanos();
    private static final long PAUSE = Duration.ofSeconds(5).toNanos();

    private final Map<Long, Directory> directories = new LinkedHashMap<>(16, 0.75f, true);

    /** @param from when a lease may be asked for */
    private record Directory(long seen, long from) {}

    /** A name was not there, or is not any more. */
    void seen(long directory, long now) {
        Directory before = directories.get(directory);
        remember(directory, new Directory(now, before == null ? now : before.from()));
    }

    /** There is no lease to be had now. */
    void refused(long directory, long now) {
        remember(directory, new Directory(now, now + PAUSE));
    }

    private void remember(long directory, Directory state) {
        directories.put(directory, state);
        if (directories.size() > MOST) {
            directories.remove(directories.keySet().iterator().next());
        }
    }

    boolean wantsLease(long directory, long now) {
        Directory state = directories.get(directory);
        return state != null && now - state.seen() < SOON && now - state.from() >= 0;
    }
}
