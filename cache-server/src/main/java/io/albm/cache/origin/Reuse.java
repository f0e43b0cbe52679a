// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.time.Duration;
import java.time.Instant;

/** How a stored response may answer a request (RFC 9111, section 4; RFC 5861). Pure. */
enum Reuse {
    /** As it is. */
    SERVED,
    /** As it is, though stale, while the origin is asked for the next request's sake. */
    SERVED_WHILE_VALIDATED,
    /** Not before the origin has said that it is current. */
    VALIDATED_FIRST;

    static Reuse of(StoredHead stored, Asked asked, Instant now) {
        if (stored.policy().needsValidation() || asked.refuses(stored.freshness(), now)) {
            return VALIDATED_FIRST;
        }
        if (stored.freshness().isFresh(now)) {
            return SERVED;
        }
        return stale(stored, asked, now);
    }

    private static Reuse stale(StoredHead stored, Asked asked, Instant now) {
        CachePolicy policy = stored.policy();
        if (policy.forbidsStale()) {
            return VALIDATED_FIRST;
        }
        if (!policy.isForSharedCaches() && stored.freshness().isUsable(now, asked.maxStale())) {
            return SERVED;
        }
        return stored.freshness().isUsable(now, policy.directives().seconds("stale-while-revalidate", 0))
                ? SERVED_WHILE_VALIDATED
                : VALIDATED_FIRST;
    }

    /**
     * Whether a stored response may stand in for an origin that fails (RFC 5861, section 4; RFC 9111, section 4.2.4).
     *
     * @param permitted how long after its lifetime where the origin said nothing of it; what an {@code s-maxage} forbids
     */
    static boolean isUsableOnError(StoredHead stored, Asked asked, Duration permitted, Instant now) {
        CachePolicy policy = stored.policy();
        if (policy.forbidsStale() || asked.refuses(stored.freshness(), now)) {
            return false;
        }
        long granted = Math.max(policy.directives().seconds("stale-if-error", -1), asked.staleIfError());
        long seconds = granted < 0 && !policy.isForSharedCaches() ? permitted.toSeconds() : granted;
        return stored.freshness().isUsable(now, Math.max(0, seconds));
    }
}
