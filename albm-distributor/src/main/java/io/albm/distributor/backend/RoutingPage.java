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
    /** Places come and go between two looks; so often in a row they do not. */
    private static final int MOST_ASKS = 64;

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

    /**
     * As {@link BackendChooser#choose}. A place that becomes free behind the policy's back, after it was passed by as full,
     * is asked for again: without that its request would be told that there is no backend.
     */
    @Nullable
    Backend choose(RoutedRequest request, RandomGenerator random) {
        for (int ask = 0; ask < MOST_ASKS; ask++) {
            int index = rotation.pick(request, random);
            if (index >= 0) {
                return settle(index, request, random);
            }
            if (index == Rotation.WAIT) {
                return Backend.WAIT;
            }
            if (isAnyFull(request)) {
                return Backend.FULL;
            }
        }
        return null;
    }

    private boolean isAnyFull(RoutedRequest request) {
        for (int i = 0; i < taking.length; i++) {
            Backend backend = backends.get(i);
            if (taking[i] && backend.load().isFull() && !request.tried(backend.id())) {
                return true;
            }
        }
        return false;
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
