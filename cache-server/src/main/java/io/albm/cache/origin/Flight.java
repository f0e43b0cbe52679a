// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.policy.SchedulingWindow;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One request under way to the origin, and who waits for its response. Guarded by the cache's lock. */
final class Flight {

    /** What one that waits is told; called once, on whatever thread the flight ended, unless it left before. */
    interface Follower {

        /** The response, of which the receiver holds a reference. */
        void landed(CachedResponse response);

        /** The response is nobody else's: each has to ask for its own. */
        void dispersed();

        /**
         * The origin failed, and a stored response that may be stale for this request takes the place of its own.
         *
         * @param stored of which the receiver holds a reference
         */
        void stoodInFor(CachedResponse stored);

        void failed(UpstreamFailure failure);
    }

    /**
     * One that waits.
     *
     * @param ticket null for whom the flight's own stands
     * @param asked what it asks of caches: what another request permits is not permitted for this one
     */
    record Waiting(SchedulingWindow.@Nullable Ticket<ResponseKey> ticket, Asked asked, Follower follower) {}

    private final ResponseKey key;
    private final SchedulingWindow.@Nullable Ticket<ResponseKey> ticket;
    private final Set<Waiting> followers = new LinkedHashSet<>();

    /** Whether it is over, so that nobody can join. */
    boolean landed;

    /** Whether its followers were told. */
    boolean over;

    /** @param ticket of the request that waits for it; null if none does, so far */
    Flight(ResponseKey key, SchedulingWindow.@Nullable Ticket<ResponseKey> ticket) {
        this.key = key;
        this.ticket = ticket;
    }

    ResponseKey key() {
        return key;
    }

    SchedulingWindow.@Nullable Ticket<ResponseKey> ticket() {
        return ticket;
    }

    Set<Waiting> followers() {
        return followers;
    }
}
