// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import java.io.IOException;

/** No such document, or none that may be served. */
public final class MissingDocumentException extends IOException {

    public MissingDocumentException(String message) {
        super(message);
    }
}
