// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.node.Threshold;
import io.albm.core.text.Nearest;
import io.albm.core.web.WebHandler;
import io.albm.core.web.WebRequest;
import io.albm.core.web.WebResponse;
import io.albm.distributor.backend.BackendStatus;
import io.albm.distributor.backend.RoutingStatus;
import java.util.List;
import java.util.SortedMap;

/**
 * The admin route {@code /routing?pool=NAME}: a pool's policy, thresholds and backends. Without a name the pool {@code main}
 * (or the first one where there is none of that name), and the others behind it.
 */
final class RoutingRoute implements WebHandler {
    private final Served served;

    RoutingRoute(Served served) {
        this.served = served;
    }

    /** One pool as {@link RoutingStatus} has it, and the other pools if no name was asked for. */
    private record PoolRouting(
            String pool,
            String policy,
            List<Threshold> thresholds,
            boolean panic,
            SortedMap<Integer, Long> routeCosts,
            List<BackendStatus> backends,
            List<PoolRouting> others) {
        static PoolRouting of(RunningPool pool, List<PoolRouting> others) {
            RoutingStatus status = pool.directory().status().current();
            return new PoolRouting(
                    pool.spec().name(),
                    status.policy(),
                    status.thresholds(),
                    status.panic(),
                    status.routeCosts(),
                    status.backends(),
                    others);
        }
    }

    @Override
    public WebResponse handle(WebRequest request) {
        SortedMap<String, RunningPool> pools = served.pools();
        List<String> asked = request.query().getOrDefault("pool", List.of());
        String name = asked.isEmpty() ? byDefault(pools) : asked.getFirst();
        RunningPool pool = pools.get(name);
        if (pool == null) {
            return WebResponse.text(
                    404,
                    "no pool '" + name + "': expected one of " + String.join(", ", pools.keySet())
                            + Nearest.hint(name, pools.keySet()) + "\n");
        }
        List<RunningPool> others = pools.values().stream()
                .filter(other -> asked.isEmpty() && other != pool)
                .toList();
        return WebResponse.json(
                200,
                PoolRouting.of(
                        pool,
                        others.stream()
                                .map(other -> PoolRouting.of(other, List.of()))
                                .toList()));
    }

    private static String byDefault(SortedMap<String, RunningPool> pools) {
        return pools.isEmpty() || pools.containsKey(StartTopology.MAIN) ? StartTopology.MAIN : pools.firstKey();
    }
}
