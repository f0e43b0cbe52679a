// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import io.albm.core.node.NodeAddress;
import io.albm.core.text.Nearest;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks what the parts of a topology say of each other: names that are meant exist, and nothing hides another. */
final class References {
    private final Topology topology;
    private final List<Mistake> mistakes;

    private References(Topology topology, List<Mistake> mistakes) {
        this.topology = topology;
        this.mistakes = mistakes;
    }

    static void check(Topology topology, List<Mistake> mistakes) {
        var references = new References(topology, mistakes);
        references.bounds();
        references.frontends();
        references.routes();
    }

    private void bounds() {
        bound(FrontendSpec.KIND, topology.frontends().size(), Topology.MAX_FRONTENDS);
        bound(PoolSpec.KIND, topology.pools().size(), Topology.MAX_POOLS);
        bound(RouteSpec.KIND, topology.routes().size(), Topology.MAX_ROUTES);
    }

    private void bound(String kind, int count, int most) {
        if (count > most) {
            wrong(kind, count + " of them: expected at most " + most);
        }
    }

    private void frontends() {
        Map<NodeAddress, String> bound = new HashMap<>();
        for (FrontendSpec frontend : topology.frontends().values()) {
            pool(FrontendSpec.KIND, frontend.name(), frontend.pool());
            String other = takes(frontend.bind()) ? bound.putIfAbsent(frontend.bind(), frontend.name()) : null;
            if (other != null) {
                wrong(
                        key(FrontendSpec.KIND, frontend.name(), FrontendSpec.BIND),
                        "'" + frontend.bind() + "' is the address of frontend " + other + ": expected another");
            }
        }
    }

    private static boolean takes(@Nullable NodeAddress bind) {
        return bind != null && bind.port() != 0;
    }

    private void routes() {
        for (int i = 0; i < topology.routes().size(); i++) {
            RouteSpec route = topology.routes().get(i);
            pool(RouteSpec.KIND, route.name(), route.pool());
            frontend(route);
            if (i > 0 && route.hidesBehind(topology.routes().get(i - 1))) {
                wrong(
                        RouteSpec.KIND + "." + route.name(),
                        "takes the same requests as route "
                                + topology.routes().get(i - 1).name() + ": expected another frontend, host or path");
            }
        }
    }

    private void frontend(RouteSpec route) {
        String name = route.frontend();
        if (name == null) {
            return;
        }
        FrontendSpec frontend = topology.frontends().get(name);
        String key = key(RouteSpec.KIND, route.name(), RouteSpec.FRONTEND);
        if (frontend == null) {
            wrong(key, unknown("frontend", name, topology.frontends().keySet()));
        } else if (frontend.mode() == FrontendMode.TCP) {
            wrong(key, "'" + name + "' has mode = tcp: expected a frontend of mode http; in TCP there are no requests");
        }
    }

    private void pool(String kind, String name, String pool) {
        if (!pool.isEmpty() && !topology.pools().containsKey(pool)) {
            wrong(
                    key(kind, name, FrontendSpec.POOL),
                    unknown("pool", pool, topology.pools().keySet()));
        }
    }

    private static String unknown(String what, String name, Collection<String> known) {
        return "no " + what + " '" + name + "': expected one of " + String.join(", ", known)
                + Nearest.hint(name, known);
    }

    private static String key(String kind, String name, String field) {
        return kind + "." + name + "." + field;
    }

    private void wrong(String key, String text) {
        mistakes.add(new Mistake(key, text));
    }
}
