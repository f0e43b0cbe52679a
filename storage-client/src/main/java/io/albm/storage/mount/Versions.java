// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Tells whether this mount has stored a file while the file table was asked about it. Then the answer may show the file as
 * it was before, and must not get to the kernel, which would cut the file to its old size. Inodes share counters, so it
 * may also say so without need. Thread-safe.
 */
final class Versions {
    private static final int COUNTERS = 256;

    private final AtomicLongArray counters = new AtomicLongArray(COUNTERS);

    /** How it was at a moment. */
    final class Seen {
        private final long[] values = new long[COUNTERS];

        private Seen() {
            for (int counter = 0; counter < COUNTERS; counter++) {
                values[counter] = counters.get(counter);
            }
        }

        boolean isStillTrueOf(long inode) {
            return values[counter(inode)] == counters.get(counter(inode));
        }
    }

    private static int counter(long inode) {
        return (int) (inode % COUNTERS);
    }

    Seen now() {
        return new Seen();
    }

    /** The file has been stored, and is not shown as unsaved any more from here on. */
    void stored(long inode) {
        counters.incrementAndGet(counter(inode));
    }
}
