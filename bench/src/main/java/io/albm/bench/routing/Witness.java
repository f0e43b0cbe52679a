// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import io.albm.distributor.routing.Rotation;

/** Sees what a distributor does with requests, to check what must always hold. */
interface Witness {
    /** Looks away. */
    Witness NONE = new Witness() {};

    /** A request goes to a server. */
    default void sent(SimulatedRequest request, String server, Rotation by) {}

    /** A request has to wait. */
    default void queued(SimulatedRequest request) {}

    /** A request that waited is given up. */
    default void timedOut(SimulatedRequest request) {}
}
