// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.text.Nearest;
import io.albm.core.web.WebHandler;
import io.albm.core.web.WebRequest;
import io.albm.core.web.WebResponse;
import java.util.List;
import java.util.SortedMap;

/**
 * The admin route {@code /routing?pool=NAME}: a pool's policy, thresholds and backends. Without a name the pool {@code main},
 * or the first one where there is none of that name.
 */
final class RoutingRoute implements WebHandler {
    private final Served served;

    RoutingRoute(Served served) {
        this.served = served;
    }

    @Override
    public WebResponse handle(WebRequest request) {
        SortedMap<String, RunningPool> pools = served.pools();
        List<String> asked = request.query().getOrDefault("pool", List.of());
        String name = asked.isEmpty() ? byDefault(pools) : asked.getFirst();
        RunningPool pool = pools.get(name);
        return pool == null
                ? WebResponse.text(
                        404,
                        "no pool '" + name + "': expected one of " + String.join(", ", pools.keySet())
                                + Nearest.hint(name, pools.keySet()) + "\n")
                : WebResponse.json(200, pool.directory().status().current());
    }

    private static String byDefault(SortedMap<String, RunningPool> pools) {
        return pools.isEmpty() || pools.containsKey(StartTopology.MAIN) ? StartTopology.MAIN : pools.firstKey();
    }
}
