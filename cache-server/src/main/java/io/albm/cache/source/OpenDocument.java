// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import io.netty.buffer.ByteBuf;
import java.io.Closeable;
import java.io.IOException;

/** A document being read, at one version. Used by one thread. */
public interface OpenDocument extends Closeable {

    /** What the document was when it was opened. */
    Version version();

    /**
     * Appends {@code bytes} of the document to {@code into}.
     *
     * @throws ChangedDocumentException if it ends earlier, or is no longer the version that was opened: then what
     *     was appended must not be used
     */
    void read(ByteBuf into, long position, int bytes) throws IOException;
}
