// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import java.io.IOException;

/** The path names a directory; a trailing slash asks for its index. */
public final class DirectoryException extends IOException {

    public DirectoryException(String message) {
        super(message);
    }
}
