// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import java.io.IOException;

/** A document needs more working memory than there is at the moment. */
public final class ShortOfMemoryException extends IOException {

    public ShortOfMemoryException(String message) {
        super(message);
    }
}
