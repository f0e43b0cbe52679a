// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells which threads of this machine are being killed. */
final class KilledThreads {
    /** What is pending for the thread itself: a signal that kills its process is turned into SIGKILL for each thread. */
    private static final String PENDING = "SigPnd:";

    private static final long SIGKILL = 1L << (9 - 1);

    private KilledThreads() {}

    /** Whether that thread is one; not if it cannot be seen, as one in another PID namespace. */
    static boolean contains(int thread) {
        try {
            return Files.readAllLines(Path.of("/proc", Integer.toString(thread), "status")).stream()
                    .filter(line -> line.startsWith(PENDING))
                    .map(line -> line.substring(PENDING.length()).trim())
                    .anyMatch(signals -> (Long.parseUnsignedLong(signals, 16) & SIGKILL) != 0);
        } catch (IOException cannotBeSeen) {
            return false;
        }
    }
}
