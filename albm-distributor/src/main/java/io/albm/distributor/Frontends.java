// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.node.NodeAddress;
import io.albm.core.tls.ServerCertificates;
import io.albm.core.topology.FrontendSpec;
import io.albm.core.topology.Mistake;
import io.albm.core.topology.Priority;
import io.albm.core.topology.RouteSpec;
import io.albm.core.topology.Topology;
import io.albm.core.topology.TopologyException;
import io.albm.distributor.http.RouteTable;
import io.albm.distributor.proxy.Destination;
import io.albm.distributor.proxy.Frontend;
import io.albm.distributor.proxy.HttpProxy;
import io.albm.distributor.proxy.Listener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The frontends of this process and the addresses that they listen on. A change is made in two steps: first every new
 * address is bound, which can fail and then changes nothing; then frontends take over what is new, and what nobody needs
 * any more is closed. An address that passes from one frontend to another is never closed. A frontend that is gone, or has
 * moved, lets its connections finish. One change at a time.
 */
final class Frontends {
    private static final Logger LOG = LoggerFactory.getLogger(Frontends.class);

    private final HttpProxy proxy;
    private final Function<String, RunningPool> pools;
    private final SortedMap<String, Entry> byName = new TreeMap<>();

    /**
     * A frontend at work.
     *
     * @param place what it listens on, as in the settings
     */
    record Entry(Frontend frontend, String place, Listener listener) {
        /** A port that was found may be named, too. */
        boolean isAt(String other) {
            return place.equals(other) || listener.address().toString().equals(other);
        }
    }

    /** What is bound for a topology that may still be refused, by place. */
    private final Map<String, Entry> fresh = new HashMap<>();

    /** @param pools finds the pool of a name */
    Frontends(HttpProxy proxy, Function<String, RunningPool> pools) {
        this.proxy = proxy;
        this.pools = pools;
    }

    /**
     * Binds the addresses that a topology has beyond those that are bound.
     *
     * @throws TopologyException with every address that cannot be had; then nothing is bound
     */
    void bind(Topology next, Map<Certificates.Use, ServerCertificates> certificates) {
        List<Mistake> mistakes = new ArrayList<>();
        Map<Listener, String> kept = new HashMap<>();
        for (FrontendSpec spec : next.frontends().values()) {
            NodeAddress bind = spec.bind();
            Listener there = bind == null ? null : listener(place(spec, bind));
            String other = there == null ? null : kept.putIfAbsent(there, spec.name());
            if (other != null) {
                mistakes.add(mistake(spec, "'" + bind + "' is the address of frontend " + other));
            } else if (bind != null && there == null) {
                bind(spec, bind, terms(spec, next, certificates), mistakes);
            }
        }
        if (!mistakes.isEmpty()) {
            fresh.values().forEach(entry -> entry.listener.close());
            fresh.clear();
            throw new TopologyException(mistakes);
        }
    }

    private void bind(FrontendSpec spec, NodeAddress bind, Frontend.Terms terms, List<Mistake> mistakes) {
        var frontend = new Frontend(terms);
        try {
            fresh.put(place(spec, bind), new Entry(frontend, place(spec, bind), proxy.listen(bind, frontend)));
        } catch (IOException e) {
            mistakes.add(mistake(spec, String.valueOf(e.getMessage())));
        }
    }

    private static Mistake mistake(FrontendSpec spec, String text) {
        return new Mistake("frontend." + spec.name() + ".bind", text);
    }

    /** Any free port is another place for each frontend. */
    private static String place(FrontendSpec spec, NodeAddress bind) {
        return bind.port() == 0 ? spec.name() + "@" + bind : bind.toString();
    }

    private @Nullable Listener listener(String place) {
        return byName.values().stream()
                .filter(entry -> entry.isAt(place))
                .map(Entry::listener)
                .findFirst()
                .orElse(null);
    }

    /** Goes on as the topology says, whose addresses have all been bound. */
    void settle(Topology next, Map<Certificates.Use, ServerCertificates> certificates) {
        SortedMap<String, Entry> before = new TreeMap<>(byName);
        Map<String, Entry> now = new HashMap<>();
        for (FrontendSpec spec : next.frontends().values()) {
            NodeAddress bind = spec.bind();
            if (bind != null) {
                now.put(spec.name(), settled(spec, place(spec, bind), terms(spec, next, certificates)));
            }
        }
        fresh.clear();
        byName.clear();
        byName.putAll(now);
        before.forEach((name, entry) -> letGo(name, entry));
    }

    private Entry settled(FrontendSpec spec, String place, Frontend.Terms terms) {
        Entry old = byName.get(spec.name());
        if (old != null && old.isAt(place)) {
            old.frontend.change(terms);
            return old;
        }
        Entry bound = fresh.get(place);
        if (bound != null) {
            LOG.info("frontend {} listens on {}", spec.name(), bound.listener.address());
            return bound;
        }
        var frontend = new Frontend(terms);
        Listener taken = Objects.requireNonNull(listener(place));
        taken.serve(frontend);
        LOG.info("frontend {} takes over {}", spec.name(), taken.address());
        return new Entry(frontend, place, taken);
    }

    private void letGo(String name, Entry old) {
        Entry now = byName.get(name);
        if (now != null && now.frontend == old.frontend) {
            return;
        }
        LOG.info(
                "frontend {} leaves {} with {} connections, which finish",
                name,
                old.listener.address(),
                old.frontend.connections());
        if (byName.values().stream().noneMatch(entry -> entry.listener == old.listener)) {
            old.listener.close();
        }
        proxy.drain(old.frontend);
    }

    private Frontend.Terms terms(
            FrontendSpec spec, Topology next, Map<Certificates.Use, ServerCertificates> certificates) {
        return new Frontend.Terms(
                spec,
                Certificates.Use.of(spec).map(certificates::get).orElse(null),
                new RouteTable<>(
                        next.routesOf(spec).stream()
                                .map(route -> rule(spec, route))
                                .toList(),
                        destination(spec, spec.pool(), Priority.NORMAL)));
    }

    private RouteTable.Rule<Destination> rule(FrontendSpec spec, RouteSpec route) {
        return new RouteTable.Rule<>(route.host(), route.path(), destination(spec, route.pool(), route.priority()));
    }

    private Destination destination(FrontendSpec spec, String poolName, Priority priority) {
        RunningPool pool = pools.apply(poolName);
        return new Destination(pool.queue(), pool.chooser(spec.policy()), priority);
    }

    /** Those that listen, by name. */
    SortedMap<String, Entry> all() {
        return new TreeMap<>(byName);
    }
}
