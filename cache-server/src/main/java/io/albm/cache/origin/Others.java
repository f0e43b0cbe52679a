// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for a response beside the client that asked for it. Told once; whoever comes afterwards begins anew.
 * Confined to the event loop of the request that they wait for.
 */
final class Others {

    private final ResponseCache cache;
    private final CacheRequest request;
    private final @Nullable Flight flight;
    private @Nullable StandIn standIn;

    /** @param flight null if nobody can wait */
    Others(ResponseCache cache, CacheRequest request, @Nullable Flight flight) {
        this.cache = cache;
        this.request = request;
        this.flight = flight;
    }

    /** The origin failed: whoever may have the stored response gets that, whatever the others are told. */
    void prefer(StandIn stored) {
        standIn = stored;
    }

    /** All get the response. */
    void land(CachedResponse response) {
        tell(follower -> follower.landed(response.retained()));
    }

    /** Nobody else can be given this response: who waits for it asks for its own. */
    void disperse() {
        tell(Flight.Follower::dispersed);
    }

    /** The same, and later ones need not wait for each other either. */
    void disperseForLong(Instant now) {
        if (flight != null) {
            cache.unshared(request, now);
            disperse();
        }
    }

    void fail(UpstreamFailure failure) {
        tell(follower -> follower.failed(failure));
    }

    private void tell(Consumer<Flight.Follower> outcome) {
        if (flight != null) {
            cache.dismiss(flight).forEach(waiting -> tell(waiting, outcome));
        }
    }

    private void tell(Flight.Waiting waiting, Consumer<Flight.Follower> outcome) {
        StandIn stored = standIn;
        if (stored != null && stored.mayAnswer(waiting.asked())) {
            waiting.follower().stoodInFor(stored.response().retained());
        } else {
            outcome.accept(waiting.follower());
        }
    }
}
