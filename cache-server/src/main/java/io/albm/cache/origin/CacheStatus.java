// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.time.Instant;

/** What this cache did for a request, in {@code Cache-Status} (RFC 9211). Pure. */
final class CacheStatus {

    static final String NAME = "Cache-Status";

    private static final String CACHE = "albm";

    private CacheStatus() {}

    /** A stored response was sent; {@code ttl} is negative if it was stale. */
    static String hit(StoredHead stored, Instant now) {
        return CACHE + "; hit; ttl=" + stored.freshness().remaining(now).toSeconds();
    }

    /** The origin said that the stored response is current. */
    static String validated(StoredHead stored, Instant now) {
        return CACHE + "; fwd=stale; fwd-status=304; ttl="
                + stored.freshness().remaining(now).toSeconds();
    }

    /** The origin could not answer, so a stale response was sent. */
    static String staleOnError(StoredHead stored, Instant now) {
        return hit(stored, now) + "; fwd=stale; detail=origin-failed";
    }

    /**
     * The origin's response was sent.
     *
     * @param why in the words of the RFC: {@code uri-miss}, {@code stale}, {@code method}, {@code request} or
     *     {@code bypass}
     */
    static String forwarded(String why, int status, boolean stored) {
        return CACHE + "; fwd=" + why + "; fwd-status=" + status + (stored ? "; stored" : "");
    }

    /** Another request's response was sent. */
    static String collapsed(StoredHead stored, Instant now) {
        return CACHE + "; fwd=uri-miss; collapsed; ttl="
                + stored.freshness().remaining(now).toSeconds();
    }

    /** Nothing was sent but the reason why not. */
    static String failed(String why) {
        return CACHE + "; fwd=" + why + "; detail=origin-failed";
    }
}
