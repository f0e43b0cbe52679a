// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** How bytes get into the files of a local file system, and out of them. Thread-safe. */
interface FileIo {
    /** As {@link BlockDisk#write}. */
    BlockDisk.Written write(Path file, ByteBuf head, ByteBuf body) throws IOException;

    /** As {@link BlockDisk#open}. */
    BlockFile open(Path file, Runnable closed) throws IOException;

    /** A file that was written, kept open, so that what fails later on its way to the disk is told to the one who waits for it. */
    record WrittenFile(FileChannel channel) implements BlockDisk.Written {
        @Override
        public void sync() throws IOException {
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
