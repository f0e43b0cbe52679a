// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import io.netty.buffer.ByteBuf;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Optional;

/** A document being read, at one version. Used by one thread. */
public interface OpenDocument extends Closeable {

    /** What the document was when it was opened. */
    Version version();

    /** Size of what can be read. */
    default long bytes() {
        return version().bytes();
    }

    /** Whether it was made for this reading: then it cannot be opened again as it is, and not be streamed. */
    default boolean isMade() {
        return false;
    }

    /** The file that it is read from, if it is one and what it says is the content. The caller does not close it. */
    default Optional<FileChannel> file() {
        return Optional.empty();
    }

    /**
     * Looks at it again.
     *
     * @throws ChangedDocumentException if it is no longer the version that was opened
     */
    default void check() throws IOException {}

    /**
     * Appends {@code bytes} of the document to {@code into}.
     *
     * @throws ChangedDocumentException if it ends earlier, or is no longer the version that was opened: then what
     *     was appended must not be used
     */
    void read(ByteBuf into, long position, int bytes) throws IOException;
}
