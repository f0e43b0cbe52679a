// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import java.io.IOException;

/** A place that documents are read from. Every call may block; safe for concurrent use. */
public interface DocumentSource {

    /**
     * What the document is now, without reading it.
     *
     * @throws MissingDocumentException if there is none
     * @throws DirectoryException if the path names a directory
     */
    Version version(DocumentPath path) throws IOException;

    /**
     * Opens a document for reading; the caller closes it.
     *
     * @throws MissingDocumentException if there is none
     * @throws DirectoryException if the path names a directory
     */
    OpenDocument open(DocumentPath path) throws IOException;
}
