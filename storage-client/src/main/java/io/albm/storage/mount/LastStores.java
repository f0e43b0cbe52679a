// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import java.io.IOException;
import java.time.Duration;

/**
 * Stores at the end of a mount what was written to files that are open still: the kernel does not tell in time of the last use of each.
 * However many there are, a storage that does not answer is waited for little longer than by one operation. Not thread-safe.
 */
final class LastStores {
    private final Duration patience;
    private long nanosInVain;

    /** @param patience how long may be spent on files that cannot be stored, before the others are given up */
    LastStores(Duration patience) {
        this.patience = patience;
    }

    /** Stores what is not stored of a file. Of an earlier failure its users have heard, and it has nothing left. */
    void store(OpenFile file) throws IOException, InterruptedException {
        if (file.unsaved() == null) {
            return;
        }
        if (nanosInVain >= patience.toNanos()) {
            throw new IOException("inode " + file.number() + " was given up, as others could not be stored");
        }
        long start = System.nanoTime();
        try {
            file.save();
        } catch (IOException failure) {
            nanosInVain += System.nanoTime() - start;
            throw failure;
        }
    }
}
