// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a block store needs of a disk: the seam for a simulated one. Names are {@code directory/file}. Content is durable
 * after {@link Written#sync}; a name is durable after {@link #syncDirectory}. A file that is not there gives
 * {@link java.nio.file.NoSuchFileException}, a full disk an {@link IOException} of another kind.
 */
public interface BlockDisk {
    /**
     * Writes a new file, or an old one anew in the place that it has on the disk. The caller closes it. Moves no index of the
     * buffers.
     */
    Written write(String name, ByteBuf head, ByteBuf body) throws IOException;

    /** A file that was written. */
    interface Written extends Closeable {
        /** Waits until the content is durable. */
        void sync() throws IOException;
    }

    /** Writes a new file, or over an old one, and waits until its content is durable. */
    default void writeDurably(String name, ByteBuf content) throws IOException {
        try (Written file = write(name, content, Unpooled.EMPTY_BUFFER)) {
            file.sync();
        }
    }

    /**
     * Opens a file for reading.
     *
     * @param closed run when it is closed, if it is opened at all; may be run twice
     */
    BlockFile open(String name, Runnable closed) throws IOException;

    /** Opens a file for reading. */
    default BlockFile open(String name) throws IOException {
        return open(name, () -> {});
    }

    /** Whether the content of a file has another name, too: the file is a link. */
    boolean hasOtherNames(String name) throws IOException;

    /** Gives a file another name, in place of any file that had it, in one step. Makes the directory if it is missing. */
    void rename(String from, String to) throws IOException;

    /** Makes the directory's names durable, and its own name too. Does nothing if it is not there. */
    void syncDirectory(String directory) throws IOException;

    /** The length of a file; none if it is not there. */
    OptionalLong bytes(String name) throws IOException;

    /** Removes a file; does nothing if it is not there. */
    void delete(String name) throws IOException;

    /** Removes a directory with its files; does nothing if it is not there. */
    void deleteDirectory(String directory) throws IOException;

    /** One entry of a directory. */
    record Entry(String name, long bytes) {}

    /** The files of a directory, in any order; none if it is not there. */
    List<Entry> files(String directory) throws IOException;

    /** The directories under a directory, by name; none if it is not there. */
    List<String> directories(String directory) throws IOException;

    /** Bytes that can still be written. */
    long usableBytes() throws IOException;
}
