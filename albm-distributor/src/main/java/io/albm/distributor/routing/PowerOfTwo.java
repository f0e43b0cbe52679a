// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

/** Of two backends drawn at random the one with fewer requests in flight from here. */
final class PowerOfTwo implements RoutingPolicy {
    @Override
    public Rotation rotate(RoutingView view) {
        return new TwoChoices(Candidates.of(view.backends()), (load, _) -> load.inFlight());
    }
}
