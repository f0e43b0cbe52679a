// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the channels of a file system have locked, or wait for. Such locks are the whole program's: no two may overlap, whatever kinds
 * they are. Thread-safe.
 */
final class LockedRanges {
    private final Map<Long, List<FileLock>> byInode = new HashMap<>();

    /** @throws OverlappingFileLockException if there is one already */
    synchronized void add(long inode, FileLock lock) {
        List<FileLock> locks = byInode.computeIfAbsent(inode, first -> new ArrayList<>());
        if (locks.stream().anyMatch(other -> other.overlaps(lock.position(), lock.size()))) {
            throw new OverlappingFileLockException();
        }
        locks.add(lock);
    }

    synchronized void remove(long inode, FileLock lock) {
        byInode.computeIfPresent(inode, (number, locks) -> {
            locks.remove(lock);
            return locks.isEmpty() ? null : locks;
        });
    }

    /** A channel is closed. */
    synchronized void removeAll(long inode, FileChannel channel) {
        byInode.computeIfPresent(inode, (number, locks) -> {
            locks.removeIf(lock -> lock.acquiredBy().equals(channel));
            return locks.isEmpty() ? null : locks;
        });
    }
}
