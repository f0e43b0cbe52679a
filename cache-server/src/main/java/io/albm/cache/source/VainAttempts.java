// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers which documents do not get small enough, so that each version is compressed for nothing once. Bounded: beyond
 * the limit the one asked about least recently is forgotten. Thread-safe.
 */
final class VainAttempts {
    private static final int MOST = 10_000;

    private record Attempt(Version version, int limit) {}

    private final Map<DocumentPath, Attempt> attempts = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<DocumentPath, Attempt> eldest) {
            return size() > MOST;
        }
    };

    /** That version came out larger than so many bytes. */
    synchronized void remember(DocumentPath path, Version version, int limit) {
        attempts.put(path, new Attempt(version, limit));
    }

    /** Whether that version is known to come out larger than so many bytes. */
    synchronized boolean include(DocumentPath path, Version version, int limit) {
        Attempt attempt = attempts.get(path);
        return attempt != null && attempt.version.equals(version) && limit <= attempt.limit;
    }
}
