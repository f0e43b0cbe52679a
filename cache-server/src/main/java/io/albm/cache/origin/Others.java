// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for a response beside the client that asked for it. Told once; whoever comes afterwards begins anew.
 *
 * @param flight null if nobody can wait
 */
record Others(
        ResponseCache cache, CacheRequest request, @Nullable Flight flight) {

    /** All get the response. */
    void land(CachedResponse response) {
        if (flight != null) {
            cache.dismiss(flight).forEach(waiting -> waiting.follower().landed(response.retained()));
        }
    }

    /** Nobody else can be given this response: who waits for it asks for its own. */
    void disperse() {
        if (flight != null) {
            cache.dismiss(flight).forEach(waiting -> waiting.follower().dispersed());
        }
    }

    /** The same, and later ones need not wait for each other either. */
    void disperseForLong(Instant now) {
        if (flight != null) {
            cache.unshared(request, now);
            disperse();
        }
    }

    void fail(UpstreamFailure failure) {
        if (flight != null) {
            cache.dismiss(flight).forEach(waiting -> waiting.follower().failed(failure));
        }
    }
}
