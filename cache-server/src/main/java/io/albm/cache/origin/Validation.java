// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.time.Duration;
import java.time.Instant;

/**
 * A stored response that the origin is asked about for a request. Holds a reference on it until it is released.
 *
 * @param response what is asked about
 * @param request for which it is asked
 */
record Validation(CachedResponse response, CacheRequest request) {

    /** The fields that ask whether it is current; empty if it has nothing to tell it by. */
    FieldList conditions() {
        return Validators.of(response.head().reply()).conditions();
    }

    /**
     * Whether it may answer the request in place of an origin that fails.
     *
     * @param permitted how long after its lifetime where the origin said nothing of it
     */
    boolean standsIn(Duration permitted, Instant now) {
        return Reuse.isUsableOnError(response.head(), Asked.of(request.fields()), permitted, now);
    }

    void release() {
        response.release();
    }
}
