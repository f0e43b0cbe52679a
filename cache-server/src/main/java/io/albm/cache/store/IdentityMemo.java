// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.source.DocumentPath;
import io.albm.cache.source.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers the identity of documents too large to cache, so that their content is hashed once per version. Bounded:
 * beyond the limit the one asked for least recently is forgotten. Thread-safe.
 */
final class IdentityMemo {

    private record Remembered(Version version, Identity identity) {}

    private final Map<DocumentPath, Remembered> entries;

    IdentityMemo(int limit) {
        entries = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<DocumentPath, Remembered> eldest) {
                return size() > limit;
            }
        };
    }

    synchronized Optional<Identity> find(DocumentPath path, Version version) {
        Remembered entry = entries.get(path);
        return entry != null && entry.version.equals(version) ? Optional.of(entry.identity) : Optional.empty();
    }

    synchronized void remember(DocumentPath path, Version version, Identity identity) {
        entries.put(path, new Remembered(version, identity));
    }
}
