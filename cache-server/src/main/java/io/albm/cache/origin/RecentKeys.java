// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * URLs whose last response nobody else may have, so that requests for them do not wait for each other in vain. A bounded
 * number, each for a bounded time. Guarded by the cache's lock.
 */
final class RecentKeys {

    private static final int MOST = 10_000;
    private static final Duration REMEMBERED = Duration.ofMinutes(2);

    private final Map<String, Instant> until = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
            return size() > MOST;
        }
    };

    void add(String uri, Instant now) {
        until.put(uri, now.plus(REMEMBERED));
    }

    void remove(String uri) {
        until.remove(uri);
    }

    boolean contains(String uri, Instant now) {
        Instant end = until.get(uri);
        return end != null && now.isBefore(end);
    }
}
