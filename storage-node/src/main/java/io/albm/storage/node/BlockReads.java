// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Which files of blocks are open for reading. Thread-safe. */
final class BlockReads {
    private final ConcurrentMap<String, Integer> counts = new ConcurrentHashMap<>();

    /** Begins before the file is opened. @return ends it; does nothing when run again */
    Runnable begin(String file) {
        counts.merge(file, 1, Integer::sum);
        AtomicBoolean isOpen = new AtomicBoolean(true);
        return () -> {
            if (isOpen.compareAndSet(true, false)) {
                counts.computeIfPresent(file, (name, count) -> count == 1 ? null : count - 1);
            }
        };
    }

    /** Whether somebody has it open, or is about to open it. */
    boolean isRead(String file) {
        return counts.containsKey(file);
    }
}
