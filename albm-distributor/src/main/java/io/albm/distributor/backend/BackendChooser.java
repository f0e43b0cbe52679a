// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Where the data path gets its backends from. Thread-safe and quick: asked by every event loop for every request. */
public interface BackendChooser {
    /**
     * The backend for one request.
     *
     * @param tried ids of backends that the request has failed on
     * @param random where chance comes from, owned by the calling thread
     * @return null if none may take it
     */
    @Nullable
    Backend choose(Set<String> tried, RandomGenerator random);

    /** One line for the client that got no backend: how many there are and why none serves. */
    String whyNone();
}
