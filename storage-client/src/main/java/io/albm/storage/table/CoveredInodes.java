// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.Inode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Copies of inodes, each with the copy of the directory that covers it. The longest unused go first. Not thread-safe. */
final class CoveredInodes {
    static final int MOST = 80_000;

    /** Bytes of files that the table has itself, of all inodes. */
    private static final long MOST_INLINE_BYTES = 16 << 20;

    /** Extents of files beside the first of each, of all inodes. */
    private static final int MOST_FURTHER_EXTENTS = 50_000;

    private final Map<Long, Covered> inodes = new LinkedHashMap<>(16, 0.75f, true);
    private long inlineBytes;
    private int furtherExtents;

    record Covered(Inode inode, CopiedDirectory cover) {
        private long inlineBytes() {
            return inode.content() == null ? 0 : inode.content().inlineBytes();
        }

        private int furtherExtents() {
            return inode.content() == null
                    ? 0
                    : Math.max(0, inode.content().extents().size() - 1);
        }
    }

    @Nullable
    Covered get(long number) {
        return inodes.get(number);
    }

    void put(Inode inode, CopiedDirectory cover) {
        remove(inode.number());
        Covered covered = new Covered(inode, cover);
        inodes.put(inode.number(), covered);
        count(covered, 1);
        while (inodes.size() > MOST || inlineBytes > MOST_INLINE_BYTES || furtherExtents > MOST_FURTHER_EXTENTS) {
            remove(inodes.keySet().iterator().next());
        }
    }

    private void count(Covered covered, int sign) {
        inlineBytes += sign * covered.inlineBytes();
        furtherExtents += sign * covered.furtherExtents();
    }

    @Nullable
    Covered remove(long number) {
        Covered old = inodes.remove(number);
        if (old != null) {
            count(old, -1);
        }
        return old;
    }

    void clear() {
        inodes.clear();
        inlineBytes = 0;
        furtherExtents = 0;
    }
}
