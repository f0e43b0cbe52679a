// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.netty.buffer.Unpooled;
import java.io.IOException;

/**
 * Says on disk that a node began with an empty one and does not hold yet all that it should: whoever starts it again goes on
 * with that, although the disk is not empty any more. For one thread at a time.
 */
final class RebuildMark {
    private static final String DIRECTORY = "rebuild";
    private static final String FILE = DIRECTORY + "/unfinished";

    private final BlockDisk disk;

    RebuildMark(BlockDisk disk) {
        this.disk = disk;
    }

    boolean isSet() throws IOException {
        return !disk.files(DIRECTORY).isEmpty();
    }

    /** Durable on return. */
    void set() throws IOException {
        disk.writeDurably(FILE, Unpooled.EMPTY_BUFFER);
        disk.syncDirectory(DIRECTORY);
    }

    /** What a loss of power brings back costs one more look at all blocks. */
    void clear() throws IOException {
        disk.delete(FILE);
    }
}
