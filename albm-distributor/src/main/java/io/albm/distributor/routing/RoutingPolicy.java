// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

/**
 * A rule that spreads requests over backends.
 *
 * <p>It works in two steps. {@link #rotate} is the slow one: called by one thread, several times a second and whenever
 * health, membership, counters or settings change, it condenses a view into a {@link Rotation}. The rotation is the
 * fast one: it is asked once for each request, by all event loops at the same time.
 *
 * <p>A policy reads no clock and owns no thread, so that servers, benchmarks and simulations run it unchanged.
 */
public interface RoutingPolicy {
    /**
     * Decides who takes part from now on.
     *
     * @param view the backends, the settings and the time, never earlier than in the call before
     */
    Rotation rotate(RoutingView view);
}
