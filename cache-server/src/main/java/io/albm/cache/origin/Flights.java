// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.policy.SchedulingWindow;
import io.albm.cache.store.ResidentSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The flights that requests can join, by what they are for. Guarded by the cache's lock. */
final class Flights {

    private final Map<ResponseKey, Flight> joinable = new HashMap<>();
    private final ResidentSet<ResponseKey, CachedResponse> residents;

    /** @param residents whose window the waiting requests stand in */
    Flights(ResidentSet<ResponseKey, CachedResponse> residents) {
        this.residents = residents;
    }

    /** The flight that a request for this can join. */
    @Nullable
    Flight find(ResponseKey key) {
        return joinable.get(key);
    }

    /**
     * A request goes to the origin; there is no flight for the same.
     *
     * @param ticket of the client's request that it is for; null if it is for none
     */
    Flight begin(ResponseKey key, SchedulingWindow.@Nullable Ticket<ResponseKey> ticket) {
        Flight flight = new Flight(key, ticket);
        joinable.put(key, flight);
        return flight;
    }

    /** Nobody can join these any more; who has joined still gets their responses. */
    void leave(Predicate<? super ResponseKey> chosen) {
        joinable.keySet().removeIf(chosen);
    }

    /** Ends a flight, once; its followers are the caller's to tell. */
    List<Flight.Waiting> dismiss(Flight flight) {
        if (flight.over) {
            return List.of();
        }
        flight.over = true;
        end(flight);
        return List.copyOf(flight.followers());
    }

    /** Its requests have what they waited for, and nobody can join any more. */
    void end(Flight flight) {
        if (!flight.landed) {
            flight.landed = true;
            joinable.remove(flight.key(), flight);
            leaves(flight.ticket());
            flight.followers().forEach(waiting -> leaves(waiting.ticket()));
        }
    }

    /** One that waits does so no more, and is told nothing if nobody was told yet. */
    void leave(Flight flight, Flight.Waiting waiting) {
        if (flight.followers().remove(waiting) && !flight.landed) {
            leaves(waiting.ticket());
        }
    }

    private void leaves(SchedulingWindow.@Nullable Ticket<ResponseKey> ticket) {
        if (ticket != null) {
            residents.leaves(ticket);
        }
    }
}
