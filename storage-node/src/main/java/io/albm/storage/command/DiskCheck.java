// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;

/** Looks what is wrong on the disk of a storage node that does not run. Changes nothing. */
@FunctionalInterface
public interface DiskCheck {
    /** Lines of damage that a report has at most. */
    int MAX_DAMAGE = 1000;

    /**
     * Checks a storage node's data directory.
     *
     * @param progress is told the bytes read so far, after each block
     * @throws java.nio.file.NotDirectoryException if there is none, or it is not a storage node's
     */
    Report run(Path data, LongConsumer progress) throws IOException;

    /**
     * What a disk has.
     *
     * @param blocks blocks that are as they were written
     * @param bytes their files' bytes
     * @param temporaries files without a name: of writes that were cut off, and spare ones; the next start removes them
     * @param damage what is wrong, one line each; at most {@value #MAX_DAMAGE}
     */
    record Report(long blocks, long bytes, long temporaries, List<String> damage) {
        public Report {
            damage = List.copyOf(damage);
        }
    }
}
