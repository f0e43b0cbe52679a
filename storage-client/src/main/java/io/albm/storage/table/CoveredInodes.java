// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.Inode;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Copies of inodes, each with the copy of the directory that covers it. The longest unused go first. Not thread-safe. */
final class CoveredInodes {
    static final int MOST = 80_000;

    /** Bytes of files that the table has itself, of all inodes. */
    private static final long MOST_INLINE_BYTES = 16 << 20;

    /** An inode with more would take too much memory. */
    private static final int MOST_EXTENTS = 4;

    private final Map<Long, Covered> inodes = new LinkedHashMap<>(16, 0.75f, true);
    private long inlineBytes;

    record Covered(Inode inode, CopiedDirectory cover) {
        private long inlineBytes() {
            return inode.content() == null ? 0 : inode.content().inlineBytes();
        }
    }

    @Nullable
    Covered get(long number) {
        return inodes.get(number);
    }

    void put(Inode inode, CopiedDirectory cover) {
        remove(inode.number());
        if (inode.content() != null && inode.content().extents().size() > MOST_EXTENTS) {
            return;
        }
        Covered covered = new Covered(inode, cover);
        inodes.put(inode.number(), covered);
        inlineBytes += covered.inlineBytes();
        Iterator<Covered> eldest = inodes.values().iterator();
        while (inodes.size() > MOST || inlineBytes > MOST_INLINE_BYTES) {
            inlineBytes -= eldest.next().inlineBytes();
            eldest.remove();
        }
    }

    @Nullable
    Covered remove(long number) {
        Covered old = inodes.remove(number);
        inlineBytes -= old == null ? 0 : old.inlineBytes();
        return old;
    }

    void clear() {
        inodes.clear();
        inlineBytes = 0;
    }
}
