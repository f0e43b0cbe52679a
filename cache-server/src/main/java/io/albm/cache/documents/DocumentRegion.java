// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.documents;

import io.albm.cache.store.Document;
import io.netty.channel.DefaultFileRegion;
import java.nio.channels.FileChannel;

/** A part of a document's memory that the kernel sends; lets go of the document when it was sent. */
final class DocumentRegion extends DefaultFileRegion {
    private final Document document;

    DocumentRegion(Document document, FileChannel file, long position, long bytes) {
        super(file, position, bytes);
        this.document = document;
    }

    @Override
    protected void deallocate() {
        document.release();
    }
}
