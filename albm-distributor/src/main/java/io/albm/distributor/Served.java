// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.config.ConfigException;
import io.albm.core.node.NodeAddress;
import io.albm.core.role.BindRule;
import io.albm.core.tls.ServerCertificates;
import io.albm.core.topology.FrontendSpec;
import io.albm.core.topology.Mistake;
import io.albm.core.topology.Topology;
import io.albm.core.topology.TopologyException;
import io.albm.distributor.routing.ReliefSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What this process serves: a topology in force, and the way to another one. A change is all or nothing: what can fail
 * (certificates, addresses) is done first and undone if anything fails, what cannot fail follows. Blocks; thread-safe,
 * one change at a time.
 */
final class Served {
    private final Certificates certificates;
    private final Pools pools;
    private final Frontends frontends;
    private final boolean insecure;
    private Topology topology = new Topology(new TreeMap<>(), List.of(), new TreeMap<>(), new TreeMap<>(), null);

    /** @param insecure whether others than this machine may be let in without TLS */
    Served(Certificates certificates, Pools pools, Frontends frontends, boolean insecure) {
        this.certificates = certificates;
        this.pools = pools;
        this.frontends = frontends;
        this.insecure = insecure;
    }

    /**
     * Serves that from now on.
     *
     * @throws TopologyException with all that this machine cannot do of it; then everything stays as it was
     */
    synchronized void change(Topology next, ReliefSettings relief) {
        Map<Certificates.Use, ServerCertificates> loaded = admissible(next);
        List<String> opened = pools.open(next, relief);
        try {
            frontends.bind(next, loaded);
        } catch (TopologyException e) {
            pools.drop(opened);
            certificates.retain(uses(topology));
            throw e;
        }
        pools.settle(next, relief);
        frontends.settle(next, loaded);
        certificates.retain(loaded.keySet());
        topology = next;
    }

    private Map<Certificates.Use, ServerCertificates> admissible(Topology next) {
        List<Mistake> mistakes = new ArrayList<>();
        Map<Certificates.Use, ServerCertificates> loaded = new HashMap<>();
        for (FrontendSpec frontend : next.frontends().values()) {
            checkBind(frontend, mistakes);
            load(frontend, loaded, mistakes);
        }
        if (!mistakes.isEmpty()) {
            certificates.retain(uses(topology));
            throw new TopologyException(mistakes);
        }
        return loaded;
    }

    private void checkBind(FrontendSpec frontend, List<Mistake> mistakes) {
        NodeAddress bind = frontend.bind();
        if (bind == null || frontend.certificates() != null) {
            return;
        }
        try {
            BindRule.check(bind.host(), insecure, "frontend " + frontend.name());
        } catch (ConfigException e) {
            mistakes.add(new Mistake("frontend." + frontend.name() + ".bind", String.valueOf(e.getMessage())));
        }
    }

    private void load(FrontendSpec frontend, Map<Certificates.Use, ServerCertificates> loaded, List<Mistake> mistakes) {
        Certificates.Use use = Certificates.Use.of(frontend).orElse(null);
        if (use == null) {
            return;
        }
        try {
            loaded.put(use, certificates.of(use));
        } catch (IOException e) {
            mistakes.add(
                    new Mistake("frontend." + frontend.name() + ".tls-certificates", String.valueOf(e.getMessage())));
        }
    }

    private static Set<Certificates.Use> uses(Topology of) {
        return of.frontends().values().stream()
                .flatMap(frontend -> Certificates.Use.of(frontend).stream())
                .collect(Collectors.toSet());
    }

    /** What is served now. */
    synchronized Topology topology() {
        return topology;
    }

    /** The frontends that listen, by name. */
    synchronized SortedMap<String, Frontends.Entry> frontends() {
        return frontends.all();
    }

    /** The pools in force, by name. */
    SortedMap<String, RunningPool> pools() {
        return pools.all();
    }
}
