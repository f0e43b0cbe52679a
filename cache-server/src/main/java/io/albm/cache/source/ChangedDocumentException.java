// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import java.io.IOException;

/** The document changed while it was being read. */
public final class ChangedDocumentException extends IOException {

    public ChangedDocumentException(String message) {
        super(message);
    }
}
