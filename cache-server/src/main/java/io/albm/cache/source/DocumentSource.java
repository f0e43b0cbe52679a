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
     * Opens a document for reading; the caller closes it. A document that changes from then on has another version.
     *
     * @throws MissingDocumentException if there is none
     * @throws DirectoryException if the path names a directory
     * @throws ChangedDocumentException if it changes all the time
     */
    OpenDocument open(DocumentPath path) throws IOException;

    /**
     * Opens a document for reading, which may have to be made first; the caller closes it.
     *
     * @param memory where everything is entered that making it takes
     * @throws MissingDocumentException if there is none
     * @throws DirectoryException if the path names a directory
     * @throws ShortOfMemoryException if the memory has no room for making it now
     */
    default OpenDocument open(DocumentPath path, WorkingMemory memory) throws IOException {
        return open(path);
    }
}
