// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

/** Told at once when the number of requests in flight to a backend changes. Called by all event loops; must be quick. */
@FunctionalInterface
interface LoadWatcher {
    /**
     * The count has changed.
     *
     * @param inFlight the count after the change; calls of several threads may arrive in another order than they happened
     * @param by 1 or −1
     */
    void changed(int inFlight, int by);
}
