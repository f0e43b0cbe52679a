// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.core.http.HeadWriter;

/** Writes fields as lines of HTTP/1.1. */
final class FieldLines {

    private FieldLines() {}

    static void write(HeadWriter to, Fields fields) {
        fields.forEach((name, value) -> to.put(name).put(": ").put(value).crlf());
    }
}
