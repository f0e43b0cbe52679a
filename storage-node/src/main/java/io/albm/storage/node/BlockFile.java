// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCounted;
import java.io.Closeable;
import java.io.IOException;

/** A file that is open for reading. For one thread at a time. */
public interface BlockFile extends Closeable {
    /** Bytes of the file. */
    long bytes();

    /** Reads from a position on; the caller releases the buffer. Fewer bytes than asked for come at the file's end. */
    ByteBuf read(long position, int length, ByteBufAllocator allocator) throws IOException;

    /**
     * Bytes of the file as a reply frame takes them: a buffer, or a part of the file that the kernel sends, after it has read it
     * into its memory. Ends the use of this file by whoever called; the file is closed at the latest with the answer's release.
     *
     * @throws IOException if the file ends before, too
     */
    ReferenceCounted send(long position, int length, ByteBufAllocator allocator) throws IOException;

    @Override
    void close() throws IOException;
}
