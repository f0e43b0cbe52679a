// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.time.Duration;
import java.time.Instant;

/**
 * A stored response that may answer requests in place of an origin that failed when it was asked about it: those, of all
 * that wait for the origin, which may have it stale themselves. Pure.
 *
 * @param response of which whoever made this holds a reference
 * @param permitted how long after its lifetime where the origin said nothing of it
 * @param now when the origin failed
 */
record StandIn(CachedResponse response, Duration permitted, Instant now) {

    boolean mayAnswer(Asked asked) {
        return Reuse.isUsableOnError(response.head(), asked, permitted, now);
    }
}
