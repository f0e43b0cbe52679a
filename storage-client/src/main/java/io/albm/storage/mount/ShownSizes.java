// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long the kernel thinks that files are. It believes what it was told for a second, reads nothing behind that size, and
 * appends there: who opens a file must not go by the size that it had before another mount closed it. Files share slots, so
 * it may also say that the kernel was told something else without need; but not twice of a file, whatever is done to others:
 * the kernel looks again what is there once, and who opens the file gets the second refusal. Thread-safe.
 */
final class ShownSizes {
    private static final int SLOTS = 1 << 14;

    /** An odd number whose products spread over all bits: 2⁶⁴ divided by the golden ratio. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** Files that are about to be opened again, at most; beyond that they are judged by their slots. */
    private static final int MOST_REFUSED = 1024;

    private final AtomicLongArray slots = new AtomicLongArray(SLOTS);

    /** What the kernel thinks of the files of which it was said that it thought something else. */
    private final Map<Long, Long> refused = new ConcurrentHashMap<>();

    /** The kernel is told of the size, or arrives at it by itself. */
    void show(long inode, long size) {
        long mark = mark(inode, size);
        slots.set(slot(inode), mark);
        refused.computeIfPresent(inode, (same, before) -> mark);
    }

    /** As {@link #show}. @return whether that is what it thought */
    boolean isShown(long inode, long size) {
        long mark = mark(inode, size);
        boolean isInSlot = slots.getAndSet(slot(inode), mark) == mark;
        Long known = refused.remove(inode);
        if (isInSlot || (known != null && known == mark)) {
            return true;
        }
        if (refused.size() >= MOST_REFUSED) {
            refused.clear();
        }
        refused.put(inode, mark);
        return false;
    }

    /** Whether the kernel surely thinks that it is so. */
    boolean isKnown(long inode, long size) {
        return slots.get(slot(inode)) == mark(inode, size);
    }

    private static int slot(long inode) {
        return (int) (inode % SLOTS);
    }

    private static long mark(long inode, long size) {
        return (inode * SPREAD ^ size) * SPREAD + 1;
    }
}
