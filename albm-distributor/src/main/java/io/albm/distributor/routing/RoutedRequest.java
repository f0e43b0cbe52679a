// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

/**
 * What a policy may know of a request. The exchange itself is one, so that nothing is allocated for a pick. Belongs to
 * the thread that asks.
 */
public interface RoutedRequest {
    /** The route of requests that no other route was made for. */
    int DEFAULT_ROUTE = 0;

    /** Equal for requests that should meet in one cache: by default a hash of the target's path without its query. */
    long hash();

    /** Index of the cost class that the request belongs to, from {@link #DEFAULT_ROUTE}. */
    int route();

    /** Whether the request has failed on that backend, which then is not picked for it again. */
    boolean tried(String backendId);

    /** The time of this pick, by the clock of the views. */
    long nowNanos();
}
