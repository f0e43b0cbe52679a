// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import io.albm.distributor.routing.RoutingPolicies;
import io.albm.distributor.routing.RoutingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A rule that takes part.
 *
 * @param policy makes it for one distributor, from the counts by class and server that the distributor keeps
 * @param knowsClasses whether requests of different classes are told apart; if not, all are one route
 */
record Contender(String name, Function<int[][], RoutingPolicy> policy, boolean knowsClasses) {
    static final String OURS = "albm";
    static final String RIVAL = "least-connections+maxconn-16";

    /** Every registered policy, the rival as it is usually set and as hindsight would set it, and ours blindfold. */
    static List<Contender> all() {
        var all = new ArrayList<Contender>();
        RoutingPolicies.names().forEach(name -> all.add(registered(name)));
        all.add(new Contender(RIVAL, counts -> new ClassMaxconn(new int[] {16, 16, 16}, counts), true));
        all.add(new Contender(
                "least-connections+maxconn-20-and-6", counts -> new ClassMaxconn(new int[] {16, 20, 6}, counts), true));
        all.add(new Contender("albm-blind", _ -> RoutingPolicies.create(OURS), false));
        return all;
    }

    static Contender registered(String name) {
        return new Contender(name, _ -> RoutingPolicies.create(name), true);
    }

    int route(RequestClass kind) {
        return knowsClasses ? 1 + kind.number : 0;
    }
}
