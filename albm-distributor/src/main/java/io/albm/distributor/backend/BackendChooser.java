// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.distributor.routing.RoutedRequest;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Where the data path gets its backends from. Thread-safe and quick: asked by every event loop for every request. */
public interface BackendChooser {
    /**
     * The backend for one request.
     *
     * @param random where chance comes from, owned by the calling thread
     * @return null if none may take it; {@link Backend#WAIT} if all that may are tight, {@link Backend#FULL} if all that may
     *     are at their limit, so that the request should be held in a bounded queue and asked for again
     */
    @Nullable
    Backend choose(RoutedRequest request, RandomGenerator random);

    /** One line for the client that got no backend: how many there are and why none serves. */
    String whyNone();
}
