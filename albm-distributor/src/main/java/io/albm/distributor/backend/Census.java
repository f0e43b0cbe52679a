// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.distributor.routing.Relief;
import io.albm.distributor.routing.Rotation;
import io.albm.distributor.routing.RoutingView;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * All backends of a pool at one moment, which every policy over the pool sees alike.
 *
 * @param backends in the order of the view's
 */
record Census(List<Counted> backends, RoutingView view) {
    /** One backend and what is known of it. */
    record Counted(Backend backend, Health health, Standing standing, CheckStatus checks) {}

    /** What the data path sees of it under one policy. */
    RoutingPage page(String policy, Rotation rotation) {
        return new RoutingPage(
                backends.stream().map(Counted::backend).toList(),
                backends.stream().map(Counted::standing).toList(),
                rotation,
                status(policy, rotation));
    }

    private RoutingStatus status(String policy, Rotation rotation) {
        Map<String, Relief> relieved = rotation.relieved();
        Map<String, Long> limits = rotation.limits();
        return new RoutingStatus(
                policy,
                view.relief().thresholds().levels(),
                backends.stream().anyMatch(one -> one.standing instanceof Standing.Panicking),
                view.costs().known(),
                IntStream.range(0, backends.size())
                        .mapToObj(i -> status(i, relieved, limits))
                        .toList());
    }

    private BackendStatus status(int index, Map<String, Relief> relieved, Map<String, Long> limits) {
        Counted one = backends.get(index);
        return BackendStatus.of(
                one.backend,
                one.health,
                one.standing,
                view.backends().get(index),
                relieved.get(one.backend.id()),
                limits.get(one.backend.id()),
                one.checks,
                view.nowNanos());
    }
}
