// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Paper P1's rule: round robin from which a server drops out while its host is short of memory, "until its state
 * improves". {@link ThresholdWatch} says what short and improved mean.
 */
final class AlbmThreshold implements RoutingPolicy {
    private final ThresholdWatch watch = new ThresholdWatch();
    private final AtomicInteger cursor = new AtomicInteger();

    @Override
    public Rotation rotate(RoutingView view) {
        watch.observe(view);
        return new WeightedTurns(
                view.backends(),
                backend -> backend.weight() * watch.weight(backend.id(), view),
                cursor,
                watch.relieved());
    }
}
