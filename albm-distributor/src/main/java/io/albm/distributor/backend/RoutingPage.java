// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.distributor.routing.Rotation;
import io.albm.distributor.routing.RoutedRequest;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What the data path sees between two changes: the backends, the policy's rotation over them, and which of them are in
 * slow start. Thread-safe; a pick allocates only while one is.
 */
final class RoutingPage {
    private final List<Backend> backends;
    private final boolean[] taking;
    private final double[] shares;
    private final Rotation rotation;
    private final RoutingStatus status;

    /**
     * A page.
     *
     * @param standings of the backends, in their order
     */
    RoutingPage(List<Backend> backends, List<Standing> standings, Rotation rotation, RoutingStatus status) {
        this.backends = backends;
        this.taking = new boolean[standings.size()];
        for (int i = 0; i < taking.length; i++) {
            taking[i] = standings.get(i).takesRequests();
        }
        this.shares = standings.stream().mapToDouble(Standing::share).toArray();
        this.rotation = rotation;
        this.status = status;
    }

    List<Backend> backends() {
        return backends;
    }

    RoutingStatus status() {
        return status;
    }

    /** As {@link BackendChooser#choose}. */
    @Nullable
    Backend choose(RoutedRequest request, RandomGenerator random) {
        int index = rotation.pick(request, random);
        if (index >= 0) {
            return settle(index, request, random);
        }
        return index == Rotation.WAIT ? Backend.WAIT : fullOrNone(request);
    }

    /** A policy leaves out who is full; if that is why it has nobody, the request may wait. */
    private @Nullable Backend fullOrNone(RoutedRequest request) {
        for (int i = 0; i < taking.length; i++) {
            Backend backend = backends.get(i);
            if (taking[i] && backend.load().isFull() && !request.tried(backend.id())) {
                return Backend.FULL;
            }
        }
        return null;
    }

    /** A backend in slow start lets some requests pass to whom the policy would pick without it, if there is one. */
    private Backend settle(int first, RoutedRequest request, RandomGenerator random) {
        Backend chosen = backends.get(first);
        if (shares[first] >= 1 || random.nextDouble() < shares[first]) {
            return chosen;
        }
        int other = rotation.pick(new Passed(request, chosen.id()), random);
        return other >= 0 ? backends.get(other) : chosen;
    }
}
