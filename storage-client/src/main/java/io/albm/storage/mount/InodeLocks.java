// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/**
 * Keeps those who open a file apart from who takes a name of it away: whether a file without a name is kept depends on
 * whether it is open. Files share locks. Thread-safe.
 */
final class InodeLocks {
    private static final int LOCKS = 256;

    private final List<ReadWriteLock> locks = Stream.<ReadWriteLock>generate(ReentrantReadWriteLock::new)
            .limit(LOCKS)
            .toList();

    /** Held until the file counts as open; others may open it, too. */
    Lock opening(long inode) {
        return of(inode).readLock();
    }

    /** Held by who takes a name away, from the look whether the file is open until the name is gone. */
    Lock leaving(long inode) {
        return of(inode).writeLock();
    }

    private ReadWriteLock of(long inode) {
        return locks.get((int) (inode % LOCKS));
    }
}
