// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.core.http.ContentRange;
import io.albm.core.http.ResponseHead;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How large the documents are of which parts were asked for, as far as responses told. A bounded number: those asked for
 * longest ago are forgotten. Guarded by the cache's lock.
 */
final class KnownSizes {

    private static final int MOST = 10_000;

    private final Map<String, Long> bytes = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST;
        }
    };

    /** What a part says of the size of the whole, if it says it clearly and the whole could be stored. Pure. */
    static OptionalLong told(CacheRequest request, ResponseHead head, StoredHead response) {
        String range = response.reply().fields().only("Content-Range");
        if (response.reply().status() != Statuses.PARTIAL_CONTENT || range == null) {
            return OptionalLong.empty();
        }
        return ContentRange.parse(range)
                .filter(told -> told.length() == head.contentLength())
                .filter(told -> Storability.of(request, response.asWhole()) == Storability.STORED)
                .map(told -> OptionalLong.of(told.total()))
                .orElse(OptionalLong.empty());
    }

    void put(String uri, long size) {
        bytes.put(uri, size);
    }

    /** Whether the size is known and at most that. */
    boolean isAtMost(String uri, long most) {
        return bytes.getOrDefault(uri, Long.MAX_VALUE) <= most;
    }
}
