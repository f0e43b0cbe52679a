// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that a distributor serves, in HAProxy's words: a <b>frontend</b> is where clients come in, a <b>route</b> says which
 * of a frontend's requests go to which pool, a <b>pool</b> is a set of servers (HAProxy: a backend section), a
 * <b>backend</b> is one of them, and its <b>weight</b> is how much it takes against the others.
 *
 * <p>It is written as flat keys such as {@code frontend.web.bind}, the same in a file and in the cluster's live settings,
 * so that one key can be changed and taken back alone. {@link #parse} knows all mistakes that can be known without this
 * machine, and names all of them at once: what a command has checked, a distributor refuses only for its own reasons (an
 * address that is taken, a certificate that is missing).
 *
 * @param frontends by name
 * @param routes in the order in which they are asked
 * @param pools by name
 * @param weights of backends, by id, 0 to {@link StaticBackend#MAX_WEIGHT}; they outweigh those of the pools' lists
 * @param policy how requests are spread where neither frontend nor pool says so; null if nobody said
 */
public record Topology(
        SortedMap<String, FrontendSpec> frontends,
        List<RouteSpec> routes,
        SortedMap<String, PoolSpec> pools,
        SortedMap<String, Integer> weights,
        @Nullable String policy) {
    /** The live setting of the policy that holds where nothing else does. */
    public static final String POLICY = "policy";

    static final int MAX_FRONTENDS = 64;
    static final int MAX_POOLS = 256;
    static final int MAX_ROUTES = 1_000;

    static final String WEIGHT = "weight";

    public Topology {
        frontends = new TreeMap<>(frontends);
        routes = routes.stream().sorted(RouteSpec.MOST_SPECIFIC_FIRST).toList();
        pools = new TreeMap<>(pools);
        weights = new TreeMap<>(weights);
    }

    /**
     * Whether a live setting is part of the topology, be it right or wrong.
     *
     * @param key such as {@code route.api.path}
     */
    public static boolean owns(String key) {
        return key.equals(POLICY) || Keys.KINDS.contains(Keys.first(key));
    }

    /**
     * Reads settings, all of which have to belong to the topology.
     *
     * @throws TopologyException with every mistake, if there is one
     */
    public static Topology parse(Map<String, String> settings) {
        List<Mistake> mistakes = new ArrayList<>();
        Keys keys = Keys.of(settings, mistakes);
        var topology = new Topology(
                read(keys.sections(FrontendSpec.KIND), FrontendSpec::read),
                List.copyOf(read(keys.sections(RouteSpec.KIND), RouteSpec::read).values()),
                read(keys.sections(PoolSpec.KIND), PoolSpec::read),
                weights(keys.weights(), mistakes),
                policy(settings, mistakes));
        References.check(topology, mistakes);
        if (!mistakes.isEmpty()) {
            throw new TopologyException(mistakes);
        }
        return topology;
    }

    private static <T> SortedMap<String, T> read(List<Section> sections, Function<Section, T> reader) {
        SortedMap<String, T> specs = new TreeMap<>();
        sections.forEach(section -> specs.put(section.name(), reader.apply(section)));
        return specs;
    }

    private static SortedMap<String, Integer> weights(Map<String, String> texts, List<Mistake> mistakes) {
        SortedMap<String, Integer> weights = new TreeMap<>();
        texts.forEach((id, text) -> {
            try {
                weights.put(id, StaticBackend.weight(text.strip()));
            } catch (IllegalArgumentException e) {
                mistakes.add(new Mistake(weightKey(id), String.valueOf(e.getMessage())));
            }
        });
        return weights;
    }

    private static @Nullable String policy(Map<String, String> settings, List<Mistake> mistakes) {
        String policy = settings.get(POLICY);
        if (policy != null && !PolicyNames.all().contains(policy)) {
            mistakes.add(new Mistake(POLICY, PolicyNames.unknown(policy)));
        }
        return policy;
    }

    /** The live setting of a backend's weight. */
    public static String weightKey(String backendId) {
        return WEIGHT + "." + backendId;
    }

    /** The live setting of a frontend's policy. */
    public static String frontendPolicyKey(String frontend) {
        return FrontendSpec.KIND + "." + frontend + "." + FrontendSpec.POLICY;
    }

    /** The live setting of a pool's policy. */
    public static String poolPolicyKey(String pool) {
        return PoolSpec.KIND + "." + pool + "." + PoolSpec.POLICY;
    }

    /** The routes of one frontend, in the order in which they are asked; none in mode {@code tcp}. */
    public List<RouteSpec> routesOf(FrontendSpec frontend) {
        return frontend.mode() == FrontendMode.TCP
                ? List.of()
                : routes.stream()
                        .filter(route ->
                                route.frontend() == null || route.frontend().equals(frontend.name()))
                        .toList();
    }

    /** How requests to a pool are spread, unless their frontend says otherwise. */
    public String policyOf(PoolSpec pool) {
        String own = pool.policy();
        return own != null ? own : Objects.requireNonNullElse(policy, PolicyNames.DEFAULT);
    }

    /** The policies by which frontends spread requests over that pool, where they name one. */
    public Set<String> frontendPolicies(PoolSpec pool) {
        return frontends.values().stream()
                .filter(frontend -> sendsTo(frontend, pool))
                .map(FrontendSpec::policy)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    private boolean sendsTo(FrontendSpec frontend, PoolSpec pool) {
        return frontend.pool().equals(pool.name())
                || routesOf(frontend).stream().anyMatch(route -> route.pool().equals(pool.name()));
    }

    /** Whether nothing but frontends of mode {@code tcp} sends to that pool, so that nobody knows what it speaks. */
    public boolean isTcpAlone(PoolSpec pool) {
        List<FrontendSpec> senders = frontends.values().stream()
                .filter(frontend -> sendsTo(frontend, pool))
                .toList();
        return !senders.isEmpty() && senders.stream().allMatch(frontend -> frontend.mode() == FrontendMode.TCP);
    }

    /** The settings that {@link #parse} makes this topology of. */
    public SortedMap<String, String> settings() {
        SortedMap<String, String> settings = new TreeMap<>();
        frontends.values().forEach(frontend -> frontend.write(settings));
        routes.forEach(route -> route.write(settings));
        pools.values().forEach(pool -> pool.write(settings));
        weights.forEach((id, weight) -> settings.put(weightKey(id), weight.toString()));
        if (policy != null) {
            settings.put(POLICY, policy);
        }
        return settings;
    }
}
