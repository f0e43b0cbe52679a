// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What a request asks of caches on its way (RFC 9111, section 5.2.1). Immutable. */
record Asked(Directives directives) {

    private static final Asked NOTHING = new Asked(Directives.NONE);
    private static final Asked NO_CACHE = new Asked(Directives.of(List.of("no-cache")));

    static Asked of(Fields request) {
        List<String> cacheControl = request.all("Cache-Control");
        if (!cacheControl.isEmpty()) {
            return new Asked(Directives.of(cacheControl));
        }
        // Section 5.4: Pragma counts where there is no Cache-Control.
        return ListSyntax.names(request.all("Pragma")).contains("no-cache") ? NO_CACHE : NOTHING;
    }

    /** Whether it wants a response that is fresher than that. */
    boolean refuses(Freshness freshness, Instant now) {
        return directives.has("no-cache")
                || freshness.age(now).compareTo(Duration.ofSeconds(directives.seconds("max-age", Long.MAX_VALUE))) > 0
                || freshness.remaining(now).toSeconds() < directives.seconds("min-fresh", Long.MIN_VALUE);
    }

    /** For how many seconds a response may be stale; 0 if it may not be. */
    long maxStale() {
        return directives.isUnqualified("max-stale") ? Directives.MOST_SECONDS : directives.seconds("max-stale", 0);
    }

    /** For how many seconds it may be stale if the origin fails; -1 if the request says nothing of it. */
    long staleIfError() {
        return directives.seconds("stale-if-error", -1);
    }

    boolean onlyIfCached() {
        return directives.has("only-if-cached");
    }
}
