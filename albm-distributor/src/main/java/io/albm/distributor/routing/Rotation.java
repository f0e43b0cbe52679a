// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.Map;
import java.util.random.RandomGenerator;

/** The backends that take part, and whose turn it is. Thread-safe. */
public interface Rotation {
    /** What {@link #pick} answers when no backend may take the request. */
    int NONE = -1;

    /** What {@link #pick} answers when every backend that may take the request is tight: hold it and ask again. */
    int WAIT = -2;

    /**
     * Chooses a backend for one request, without allocating.
     *
     * @param request a backend that it has tried is never chosen, nor one that is full ({@link BackendLoad#isFull})
     * @param random where chance comes from, owned by the calling thread
     * @return an index into {@link RoutingView#backends()} of an available backend, {@link #NONE}, or {@link #WAIT}
     */
    int pick(RoutedRequest request, RandomGenerator random);

    /** The backends that are available but left out for now because their host is short of something, by id. */
    default Map<String, Relief> relieved() {
        return Map.of();
    }

    /** Bytes that requests from here may hold on a backend's host, by the backend's id; none where nothing limits them. */
    default Map<String, Long> limits() {
        return Map.of();
    }
}
