// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.List;

/**
 * Prequal's hot-cold lexicographic rule (Wydrowski et al., NSDI 2024): among probed backends whose requests in flight are
 * not above a quantile of what probes have seen lately, the one with the least latency; if all are above, the one with
 * the fewest requests in flight.
 *
 * <p>Prequal probes its servers. Here a probe reads this distributor's own books ({@link BackendLoad}), which is exact
 * with one distributor, a sample with more.
 */
final class Prequal implements RoutingPolicy {
    private List<String> ids = List.of();
    private ProbePool pool = new ProbePool();

    @Override
    public Rotation rotate(RoutingView view) {
        Candidates candidates = Candidates.of(view.backends());
        if (!candidates.ids().equals(ids)) {
            ids = candidates.ids();
            pool = new ProbePool(); // probes know backends by their numbers, and an old rotation may still be in use
        }
        ProbePool current = pool;
        return (request, random) -> candidates.answer(current.pick(candidates, request, random));
    }
}
