// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.Comparator;

/**
 * On whose behalf a client of the {@link FileTable} has locks.
 *
 * @param kind locks of different kinds never stand in each other's way
 * @param number the client's own for its owner
 */
public record LockOwner(Kind kind, long number) implements Comparable<LockOwner> {
    private static final Comparator<LockOwner> ORDER =
            Comparator.comparing(LockOwner::kind).thenComparingLong(LockOwner::number);

    /** As Linux has them. */
    public enum Kind {
        /** Of {@code fcntl}: ranges. Those of open file descriptions ({@code F_OFD_SETLK}) are of this kind, too. */
        POSIX,
        /** Of {@code flock}: whole files. */
        FLOCK
    }

    public LockOwner {
        if (kind == null) {
            throw new IllegalArgumentException("an owner of locks without a kind: expected POSIX or FLOCK");
        }
    }

    @Override
    public int compareTo(LockOwner other) {
        return ORDER.compare(this, other);
    }
}
