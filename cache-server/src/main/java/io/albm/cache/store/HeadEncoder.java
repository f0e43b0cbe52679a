// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.source.DocumentPath;
import io.albm.core.http.HeadWriter;

/**
 * Words what stands before a document in memory: the head that most of its responses begin with. Thread-safe.
 */
@FunctionalInterface
public interface HeadEncoder {
    /** Nothing stands before it. */
    HeadEncoder NONE = (path, identity, to) -> {};

    /** Writes the head. Its length depends on the path and on the lengths of what the identity says only. */
    void encode(DocumentPath path, Identity identity, HeadWriter to);
}
